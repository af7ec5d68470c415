import type * as Graphile from 'graphile-worker'
import type { Pool } from 'pg'
import { notInstalled } from '../system/postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

/** Loads the library of the queue, which is no part of pubctl. */
export async function loadGraphile(): Promise<typeof Graphile> {
  try {
    return await import('graphile-worker')
  } catch (error) {
    throw notInstalled('graphile-worker', error)
  }
}

/** What every use of the library shares. It says nothing by itself. */
export const graphileOptions = ({ Logger }: typeof Graphile, pgPool: Pool) => ({
  ...{ pgPool, schema: jobsSchema, noHandleSignals: true },
  logger: new Logger(() => () => undefined),
})
