import type { Context } from '../cli/context.ts'
import { rememberKey } from '../cli/output/secrets.ts'
import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { graphileOptions, loadGraphile } from './graphile.ts'
import { databaseFailure } from './postgres/errors.ts'
import { openPostgres, type Postgres, type Query } from './postgres/postgres.ts'
import { jobsSchema, queueTables } from './schema.ts'

/** Does some work with the database of a queue, which `--database` or the environment names, and closes it. */
export async function withQueue<T>(
  { world }: Context,
  database: string | undefined,
  work: (postgres: Postgres) => Promise<T>,
  connections = 2,
): Promise<T> {
  const { url, password } = databaseUrl(database, world.env['PUBCTL_DATABASE_URL'])
  for (const secret of [password, world.env['PGPASSWORD']]) if (secret) rememberKey(world, secret)
  const { env, home, clock, signal } = world
  const postgres = await openQueueDatabase({ url, connections, env, home, clock, signal })
  try {
    return await work(postgres)
  } finally {
    await postgres.close()
  }
}

/** The address of a PostgreSQL database, and the password in it, if there is one. */
interface DatabaseUrl {
  readonly url: string
  readonly password: string | undefined
}

/**
 * The address of the queue's database: `--database`, or else the variable. Throws if there is none, if it is not an address
 * of PostgreSQL, and if a password would stand on the command line, where every user of the machine can read it.
 */
function databaseUrl(flag: string | undefined, variable: string | undefined): DatabaseUrl {
  if (flag !== undefined) {
    const found = parsed(flag, '--database')
    if (found.password === undefined) return found
    throw new UsageFailure('--database has a password in it, which every user of this machine could read', {
      code: 'secret_in_arguments',
      hint: 'Put the whole address into PUBCTL_DATABASE_URL, or the password into PGPASSWORD or ~/.pgpass.',
    })
  }
  if (variable === undefined) {
    throw new UsageFailure('no database is named', {
      code: 'no_database',
      hint: 'Name it with --database postgres://user@host/database, or in PUBCTL_DATABASE_URL.',
    })
  }
  return parsed(variable, 'PUBCTL_DATABASE_URL')
}

function parsed(text: string, from: string): DatabaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text itself is not repeated, since it may hold a password.
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new UsageFailure(`${from} is not the address of a PostgreSQL database`, {
      code: 'bad_database_url',
      hint: 'Write it like postgres://user@host:5432/database.',
    })
  }
  const password = url.password || url.searchParams.get('password') || undefined
  return { url: text, password: password && decoded(password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What the transactions that change the tables lock, so that two programs can start at once. */
const migrationLock = 1_886_745_187

interface QueueOptions extends Pick<World, 'clock' | 'signal' | 'env' | 'home'> {
  readonly url: string
  readonly connections: number
}

/** Opens the database of a queue, and makes its tables where they are missing. */
async function openQueueDatabase(options: QueueOptions): Promise<Postgres> {
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
