import { backoff } from '../system/backoff.ts'
import { exitCodes, type Failure } from '../system/errors.ts'
import type { Receipt, Result } from '../uploads/receipt.ts'
import { addJobs } from './load.ts'
import type { Postgres } from './postgres/postgres.ts'

/** What becomes of a step that was carried out, or could not be. */
export type Settlement =
  | { readonly is: 'done' }
  /** It stays in the queue, and is tried again after so many seconds. */
  | { readonly is: 'later'; readonly after: number }
  /** It is tried again when somebody asks for it. */
  | { readonly is: 'failed' }

/** How often a step is tried that fails for a reason that may pass. */
const mostTries = 8

/** Decides on a step by how its last try ended; `tries` counts that one. */
export function settlementOf(failure: Failure | undefined, tries: number): Settlement {
  if (failure === undefined) return { is: 'done' }
  // Another worker may have a path to the file, or this one later.
  if (failure.code === 'file_unreadable')
    return { is: 'later', after: backoff(tries, { first: 1, most: 600 }) }
  const mayPass = failure.exitCode === exitCodes.network || failure.exitCode === exitCodes.waitExhausted
  return mayPass && tries < mostTries
    ? { is: 'later', after: backoff(tries, { first: 1, most: 3600 }) }
    : { is: 'failed' }
}

/** Stores how a step ended, and its next job, in one transaction. What ended well before stays so. */
export async function storeSettlement(
  postgres: Pick<Postgres, 'transaction'>,
  { id, task, tries }: { readonly id: string; readonly task: string; readonly tries: number },
  { receipt, failure }: Result,
  settlement: Settlement,
): Promise<void> {
  const { outcome, publicationId } = receipt
  await postgres.transaction(async query => {
    const stored = await query(
      `UPDATE pubctl.steps SET state = $2, outcome = $3, tries = $4, "publicationId" = $5, "errorCode" = $6,
         "errorMessage" = $7, "errorHint" = $8, "endedAt" = CASE WHEN $2 = 'waiting' THEN NULL ELSE now() END
       WHERE id = $1 AND state <> 'done' RETURNING id`,
      [
        id,
        settlement.is === 'later' ? 'waiting' : settlement.is,
        outcome,
        tries,
        publicationId,
        ...[failure?.code ?? null, failure?.message ?? null, failure?.hint ?? null],
      ],
    )
    if (settlement.is === 'later' && stored.length > 0) await addJobs(query, task, [id], settlement.after)
  })
}

/** The receipt of a step, with an upload that another worker had ended counted as uploaded. */
export const withQueueOutcome = (receipt: Receipt, isOfQueue: boolean): Receipt =>
  isOfQueue && receipt.outcome === 'skipped' ? { ...receipt, outcome: 'uploaded', why: null } : receipt
