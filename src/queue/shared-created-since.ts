import { type CreatedSince, countsSince, valuesCreatedSince } from '../catalogue/apply/created-since.ts'
import type { ExamineContext } from '../catalogue/apply/examine-context.ts'
import { addTo } from '../system/add-to.ts'
import { once } from '../system/once.ts'
import type { Postgres } from './postgres/postgres.ts'

/** A question for each step would be a tenth of what it asks the database. There are few as a rule. */
const mostKept = 10_000

/**
 * The publications that were created between a plan and its first step. One worker asks the service for them and stores
 * them for all; what the workers create themselves is in their journal.
 */
export function openSharedCreatedSince(
  postgres: Postgres,
  { planId, made }: { readonly planId: string; readonly made: string },
  context: ExamineContext,
): CreatedSince {
  const includes = countsSince(Date.parse(made))
  const isCompared = async (query: Postgres['query']): Promise<boolean> => {
    const [plan] = await query<{ isCompared: boolean }>(
      'SELECT "isCompared" FROM pubctl.plans WHERE "planId" = $1',
      [planId],
    )
    return plan?.isCompared ?? false
  }
  // A failure belongs to the step that meets it; the next one asks again.
  const compared = once(async () => {
    if (await isCompared(postgres.query)) return
    await postgres.transaction(async query => {
      // The others wait for the one that asks.
      await query('SELECT "planId" FROM pubctl.plans WHERE "planId" = $1 FOR UPDATE', [planId])
      if (await isCompared(query)) return
      const pairs = [...(await valuesCreatedSince(includes, context))].flatMap(([value, ids]) =>
        ids.map(id => [value, id]),
      )
      await query(
        `INSERT INTO pubctl.created ("planId", value, "publicationId")
         SELECT $1, value, id FROM unnest($2::text[], $3::text[]) AS row (value, id)`,
        [planId, pairs.map(([value]) => value as string), pairs.map(([, id]) => id as string)],
      )
      await query('UPDATE pubctl.plans SET "isCompared" = true WHERE "planId" = $1', [planId])
    })
  })
  /** All of them, which do not change any more; undefined if there are too many to keep. */
  const kept = once(async (): Promise<ReadonlyMap<string, readonly string[]> | undefined> => {
    await compared()
    const rows = await postgres.query<{ value: string; publicationId: string }>(
      'SELECT value, "publicationId" FROM pubctl.created WHERE "planId" = $1 LIMIT $2',
      [planId, mostKept + 1],
    )
    if (rows.length > mostKept) return undefined
    const byValue = new Map<string, string[]>()
    for (const { value, publicationId } of rows) addTo(byValue, value, publicationId)
    return byValue
  })
  return {
    includes,
    async withValue(value) {
      const all = await kept()
      if (all) return all.get(value) ?? []
      const rows = await postgres.query<{ publicationId: string }>(
        'SELECT "publicationId" FROM pubctl.created WHERE "planId" = $1 AND value = $2',
        [planId, value],
      )
      return rows.map(({ publicationId }) => publicationId)
    },
  }
}
