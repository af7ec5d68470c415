import { UsageFailure } from '../system/errors.ts'
import type { Query } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

/**
 * Refuses schemas, tables and functions that another user of the database has put in the place of those of a queue: what
 * they do is done with the rights of whoever uses the queue. Own is what belongs to the role of the connection, to a role
 * that this one is a member of, or to a superuser, who needs no such way. Throws UsageFailure `other_owner`.
 */
export async function mustBeOwn(query: Query): Promise<void> {
  // Not pg_has_role, by which a superuser is a member of every role.
  const [other] = await query<{ what: string; owner: string; user: string }>(
    `WITH RECURSIVE own AS (
       SELECT oid FROM pg_roles WHERE rolname = current_user
       UNION SELECT roleid FROM pg_auth_members JOIN own ON member = own.oid
     ), schemas AS (SELECT oid, nspname, nspowner FROM pg_namespace WHERE nspname IN ('pubctl', '${jobsSchema}')
     ), found AS (
       SELECT 'the schema ' || nspname AS what, nspowner AS owner FROM schemas
       UNION ALL SELECT nspname || '.' || relname, relowner FROM pg_class JOIN schemas ON relnamespace = schemas.oid
       UNION ALL SELECT nspname || '.' || proname, proowner FROM pg_proc JOIN schemas ON pronamespace = schemas.oid
     )
     SELECT what, pg_get_userbyid(owner)::text AS owner, current_user::text AS user FROM found
     WHERE owner NOT IN (SELECT oid FROM own UNION SELECT oid FROM pg_roles WHERE rolsuper) LIMIT 1`,
  )
  if (other === undefined) return
  throw new UsageFailure(
    `${other.what} in the database of the queue belongs to ${other.owner}, not to ${other.user}`,
    {
      code: 'other_owner',
      hint: 'Give the queue a database of its own, or make the one a member of the other: GRANT owner TO user.',
    },
  )
}
