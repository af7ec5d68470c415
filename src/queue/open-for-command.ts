import type { Context } from '../cli/context.ts'
import { rememberKey } from '../cli/output/secrets.ts'
import { UsageFailure } from '../system/errors.ts'
import type { Postgres } from './postgres/postgres.ts'

/** Does some work with the database of a queue, which `--database` or the environment names, and closes it. */
export async function withQueue<T>(
  { world }: Context,
  database: string | undefined,
  work: (postgres: Postgres) => Promise<T>,
  connections = 2,
): Promise<T> {
  const { url, password } = databaseUrl(database, world.env['PUBCTL_DATABASE_URL'])
  for (const secret of [password, world.env['PGPASSWORD']]) if (secret) rememberKey(world, secret)
  const { openQueueDatabase } = await import('./open-queue.ts')
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
