import type { Context } from '../cli/context.ts'
import { rememberKey } from '../cli/output/secrets.ts'
import { databaseUrl } from './postgres/database-url.ts'
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
