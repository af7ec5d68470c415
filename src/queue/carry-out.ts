import type { CreatedSince } from '../catalogue/apply/created-since.ts'
import { runStep } from '../catalogue/apply/plan-tasks.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { asFailure, exitCodes, Failure, Interrupted } from '../system/errors.ts'
import { readingOnly } from '../system/may-read.ts'
import { emptyReceipt, errorOf, type Receipt, type Result, wasBegun } from '../uploads/receipt.ts'
import type { TransferContext } from '../uploads/transfer-context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { addJobs, taskOf } from './load.ts'
import { belowRoot } from './local-path.ts'
import type { Postgres } from './postgres/postgres.ts'
import { type Settlement, settlementOf, storeSettlement, withQueueOutcome } from './settle-step.ts'
import { openSharedCreatedSince } from './shared-created-since.ts'
import { badStep, longestStep, outsideWorkerRoot, type StepRow, stepOfRow } from './step-of-row.ts'

interface CarryOptions {
  readonly postgres: Postgres
  readonly transfer: TransferContext
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  /** The folder here that has the files of a plan's folder. */
  readonly root: string | undefined
  readonly gate: { pass(): Promise<void> }
  readonly breaker: CircuitBreaker
  /** Removes secrets from what is stored. */
  readonly hide: (text: string) => string
  readonly onResult: (result: Result, settlement: Settlement) => void
  /** Called with what every other step would meet as well, such as a key that is refused. */
  readonly onFatal: (failure: Failure) => void
}

/**
 * Carries out one step of the queue by its id. Throws only if its job is not this worker's any more, or the database is away:
 * then its job must stay as it is.
 */
export function openCarrying(options: CarryOptions): (id: string) => Promise<void> {
  const { postgres, transfer, task, root, gate, breaker, hide, onResult, onFatal } = options
  const { query } = postgres
  const created = new Map<string, CreatedSince>()
  /** What was created since a plan was made is asked once. */
  const createdSince = ({ planId, made }: StepRow): CreatedSince => {
    const known = created.get(planId) ?? openSharedCreatedSince(postgres, { planId, made }, transfer)
    created.set(planId, known)
    return known
  }
  const putBack = async (id: string, after = 0) => await addJobs(query, task, [id], after)

  /** Whether the upload of a step was carried out by this queue, be it by another worker. */
  const isOfQueue = async ({ uploadRequestId }: Receipt): Promise<boolean> =>
    uploadRequestId !== null && (await transfer.journal.get(uploadRequestId))?.stage === 'finished'

  async function run(row: StepRow): Promise<Result> {
    let step: PlanStep | undefined
    try {
      if (taskOf(row) !== task) throw badStep('its plan is for another service or organisation')
      const mayRead = belowRoot(row.root, root)
      step = stepOfRow(row, root, mayRead)
      const options = { createdSince: createdSince(row), match: row.match, mayAskForSession: true }
      // What the journal in the database names is opened there as well.
      const planned = step
      const result = await readingOnly(mayRead, () => runStep(planned, options, transfer))
      if (result.failure?.code === 'outside_root')
        throw outsideWorkerRoot(result.receipt.file ?? 'a file of the journal', root ?? row.root)
      return result
    } catch (error) {
      const failure = asFailure(error)
      return {
        receipt: { ...(step ? receiptOf(step) : emptyReceipt(null)), error: errorOf(failure) },
        failure,
      }
    }
  }

  return async id => {
    try {
      await breaker.wait()
      await gate.pass()
    } catch (error) {
      if (!(error instanceof Failure) || isAnothers(error)) throw error
      return await putBack(id)
    }
    const [row] = await query<StepRow>(
      `SELECT "planId", "baseUrl", "scopeId", root, match, made, key, state, tries,
         CASE WHEN octet_length(step) <= ${longestStep} THEN step END AS step
       FROM pubctl.steps JOIN pubctl.plans USING ("planId") WHERE id = $1`,
      [id],
    )
    if (row === undefined || row.state !== 'waiting') return
    const { receipt, failure } = await run(row)
    const result = { receipt: { ...receipt, key: row.key }, failure }
    breaker.ended(failure?.code !== 'unreachable')
    if (failure && isAnothers(failure)) throw failure
    if (failure instanceof Interrupted || !wasBegun(result) || transfer.signal.aborted)
      return await putBack(id)
    if (failure?.code === 'unreachable') return await putBack(id)
    if (failure?.exitCode === exitCodes.notAuthenticated) {
      await putBack(id)
      return onFatal(failure)
    }
    const tries = row.tries + 1
    const settlement = settlementOf(failure, tries)
    const told = {
      receipt: withQueueOutcome(result.receipt, failure === undefined && (await isOfQueue(result.receipt))),
      failure: failure && hidden(failure, hide),
    }
    await storeSettlement(postgres, { id, task, tries }, told, settlement)
    onResult(told, settlement)
  }
}

/** Whether a job must stay as it is: it is another worker's by now, or the database is away. */
const isAnothers = ({ code }: Failure): boolean =>
  code === 'upload_taken' || /^database_|^journal_/.test(code)

const hidden = ({ message, code, exitCode, hint }: Failure, hide: (text: string) => string): Failure =>
  new Failure(hide(message), { code, exitCode, hint: hint && hide(hint) })

const receiptOf = ({ file, sha256, bytes, type, publicationId, editionId, uploadRequestId }: PlanStep) => ({
  ...emptyReceipt(file),
  ...{ sha256, bytes, type, publicationId, editionId, uploadRequestId },
})
