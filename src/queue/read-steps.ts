import type { Clock } from '../system/world.ts'
import type { Query } from './postgres/postgres.ts'
import { longestStep, type StepRow } from './step-of-row.ts'
import { together } from './together.ts'

/** Within how many milliseconds steps are read together. Those whose predecessors ended together begin together. */
const readWithin = 5

/** Gives what reads a step by its id; undefined if there is none. */
export const openSteps = (query: Query, clock: Pick<Clock, 'after'>) =>
  together(clock, readWithin, async (ids: readonly string[]): Promise<readonly (StepRow | undefined)[]> => {
    const rows = await query<StepRow & { readonly id: string }>(
      `SELECT id::text AS id, "planId", "baseUrl", "scopeId", root, match, made, key, state, tries,
         EXISTS (SELECT FROM pubctl.uploads WHERE "uploadRequestId" = id::text) AS "isBegun",
         CASE WHEN octet_length(step) <= ${longestStep} THEN step END AS step
       FROM pubctl.steps JOIN pubctl.plans USING ("planId") WHERE id = ANY ($1::uuid[])`,
      [ids],
    )
    const byId = new Map(rows.map(({ id, ...row }) => [id, row]))
    return ids.map(id => byId.get(id.toLowerCase()))
  })
