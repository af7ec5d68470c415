import { addTo } from '../system/add-to.ts'
import { addJobs, taskOf } from './load.ts'
import type { Postgres } from './postgres/postgres.ts'

interface Retried {
  /** How many steps are tried again now. */
  readonly retried: number
  /** Those that the queue does not have, or that have not failed. */
  readonly unknown: readonly string[]
}

const batchSize = 500

/** Lets the steps with these ids be tried again at once, or all that failed or wait for another try. */
export async function retrySteps(
  postgres: Postgres,
  ids: readonly string[] | undefined,
  isDryRun: boolean,
): Promise<Retried> {
  const found = await postgres.query<{ id: string; baseUrl: string; scopeId: string | null }>(
    `SELECT id, "baseUrl", "scopeId" FROM pubctl.steps JOIN pubctl.plans USING ("planId")
     WHERE "errorCode" IS NOT NULL AND state <> 'done' AND ($1::uuid[] IS NULL OR id = ANY ($1))`,
    [ids === undefined ? null : [...ids]],
  )
  const unknown = (ids ?? []).filter(id => !found.some(each => each.id === id.toLowerCase()))
  if (isDryRun) return { retried: found.length, unknown }
  const byTask = new Map<string, string[]>()
  for (const { id, ...plan } of found) addTo(byTask, taskOf(plan), id)
  for (const [task, all] of byTask) {
    for (let start = 0; start < all.length; start += batchSize) {
      const some = all.slice(start, start + batchSize)
      await postgres.transaction(async query => {
        await query(
          `UPDATE pubctl.steps SET state = 'waiting', tries = 0, "endedAt" = NULL WHERE id = ANY ($1)`,
          [some],
        )
        await addJobs(query, task, some)
      })
    }
  }
  return { retried: found.length, unknown }
}
