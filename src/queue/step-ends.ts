import { keptText } from '../system/database.ts'
import type { Clock } from '../system/world.ts'
import { addJobs } from './load.ts'
import type { Postgres, Query } from './postgres/postgres.ts'
import { together } from './together.ts'

const columns = [
  'state',
  'outcome',
  'tries',
  'publicationId',
  'errorCode',
  'errorMessage',
  'errorHint',
] as const

/** How a try of a step ended, in the columns of its row. */
export interface StepEnd {
  readonly id: string
  /** `waiting` if it is tried again by itself. */
  readonly state: 'done' | 'failed' | 'waiting'
  readonly outcome: string | null
  readonly tries: number
  readonly publicationId: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly errorHint: string | null
}

/** Stores how steps ended. Both resolve once it is stored; what ended well before stays so. */
interface StepEnds {
  /** Stores an end without a next job, together with others. */
  store(end: StepEnd): Promise<void>
  /** Stores an end and its next job after so many seconds, in one transaction. */
  storeAndTryAgain(end: StepEnd, task: string, after: number): Promise<void>
}

/** Within how many milliseconds ends are stored together: a statement for each would be a sixth of all that a step asks. */
const storedWithin = 50

export const openEnds = (
  { query, transaction }: Pick<Postgres, 'query' | 'transaction'>,
  clock: Pick<Clock, 'after'>,
): StepEnds => ({
  store: together(clock, storedWithin, async (ends: readonly StepEnd[]) => {
    await storeAll(query, ends)
    return ends.map(() => undefined)
  }),
  storeAndTryAgain: async (end, task, after) =>
    await transaction(async query => await addJobs(query, task, await storeAll(query, [end]), after)),
})

/** Gives the ids of the steps of which it is stored. */
async function storeAll(query: Query, ends: readonly StepEnd[]): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    `UPDATE pubctl.steps SET state = ended.state, outcome = ended.outcome, tries = ended.tries,
       "publicationId" = ended."publicationId", "errorCode" = ended."errorCode",
       "errorMessage" = ended."errorMessage", "errorHint" = ended."errorHint",
       "endedAt" = CASE WHEN ended.state = 'waiting' THEN NULL ELSE now() END
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[])
       AS ended (id, ${columns.map(name => `"${name}"`).join(', ')})
     WHERE steps.id = ended.id AND steps.state <> 'done' RETURNING steps.id`,
    [ends.map(({ id }) => id), ...columns.map(name => ends.map(end => storable(end[name])))],
  )
  return rows.map(({ id }) => id)
}

/** PostgreSQL refuses zero characters, which a message of the service can have, and with them all that is stored together. */
const storable = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? keptText(value) : value
