import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { graphileOptions, loadGraphile } from './graphile.ts'
import { databaseFailure } from './postgres/errors.ts'
import { openPostgres, type Postgres, type Query } from './postgres/postgres.ts'
import { jobsSchema, queueTables } from './schema.ts'

/** What the transactions that change the tables lock, so that two programs can start at once. */
const migrationLock = 1_886_745_187

interface QueueOptions extends Pick<World, 'clock' | 'signal' | 'env' | 'home'> {
  readonly url: string
  readonly connections: number
}

/** Opens the database of a queue, and makes its tables where they are missing. */
export async function openQueueDatabase(options: QueueOptions): Promise<Postgres> {
  const graphile = loadGraphile()
  const postgres = await openPostgres(options)
  try {
    await mustBeOwn(postgres.query)
    if (await isCurrent(postgres.query)) return postgres
    await postgres.transaction(migrate)
    // What somebody else may have made in between.
    await mustBeOwn(postgres.query)
    const utils = await graphile.makeWorkerUtils(graphileOptions(graphile, postgres.pool))
    await utils.release()
    // Written last, so that a process that ends in between leaves the rest to the next one.
    await postgres.query('UPDATE pubctl.version SET "isComplete" = true')
    return postgres
  } catch (error) {
    await postgres.close()
    throw databaseFailure(error)
  }
}

async function isCurrent(query: Query): Promise<boolean> {
  const [there] = await query<{ there: boolean }>(`SELECT to_regclass('pubctl.version') IS NOT NULL AS there`)
  if (!there?.there) return false
  const [found] = await query<{ number: number; isComplete: boolean }>('SELECT * FROM pubctl.version')
  return found?.number === queueTables.length && found.isComplete
}

async function migrate(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  await query('CREATE SCHEMA IF NOT EXISTS pubctl')
  await query(
    'CREATE TABLE IF NOT EXISTS pubctl.version (number integer NOT NULL, "isComplete" boolean NOT NULL)',
  )
  const [found] = await query<{ number: number }>('SELECT number FROM pubctl.version')
  const from = found?.number ?? 0
  if (from > queueTables.length) {
    throw new UsageFailure('the database of the queue was made by a newer version of pubctl', {
      code: 'database_unusable',
      hint: 'Update pubctl here.',
    })
  }
  for (const step of queueTables.slice(from)) await query(step)
  await query(
    found
      ? `UPDATE pubctl.version SET number = ${queueTables.length}, "isComplete" = false`
      : `INSERT INTO pubctl.version VALUES (${queueTables.length}, false)`,
  )
}

/**
 * Refuses schemas, tables and functions that another user of the database has put in the place of those of a queue: what
 * they do is done with the rights of whoever uses the queue. Own is what belongs to the role of the connection, to a role
 * that this one is a member of, or to a superuser, who needs no such way. Throws UsageFailure `other_owner`.
 */
async function mustBeOwn(query: Query): Promise<void> {
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
