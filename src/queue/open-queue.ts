import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { graphileOptions, loadGraphile } from './graphile.ts'
import { mustBeOwn } from './ownership.ts'
import { databaseFailure } from './postgres/errors.ts'
import { openPostgres, type Postgres, type Query } from './postgres/postgres.ts'
import { queueTables } from './schema.ts'

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
