import { exitCodes, Failure, Interrupted } from '../errors.ts'
import { parseExactly } from '../exact-json.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import type { Postgres } from '../system/postgres/postgres.ts'
import { asFailure } from '../transfer/batch.ts'
import type { ExamineOptions } from '../transfer/planned/examine.ts'
import { runStep } from '../transfer/planned/plan-tasks.ts'
import { emptyReceipt, type Result, wasBegun } from '../transfer/receipt.ts'
import type { TransferContext } from '../transfer/transfer-context.ts'
import { addJobs } from './load.ts'
import { movedTo } from './local-path.ts'
import type { Outage } from './outage.ts'
import { type Settlement, settlementOf, storeSettlement, withQueueOutcome } from './settle-step.ts'
import { openSharedCreatedSince } from './shared-created-since.ts'

interface CarryOptions {
  readonly postgres: Postgres
  readonly transfer: TransferContext
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  /** The folder here that has the files of a plan's folder. */
  readonly root: string | undefined
  readonly gate: { pass(): Promise<void> }
  readonly outage: Outage
  /** Removes secrets from what is stored. */
  readonly hide: (text: string) => string
  readonly onResult: (result: Result, settlement: Settlement) => void
  /** Called with what every other step would meet as well, such as a key that is refused. */
  readonly onFatal: (failure: Failure) => void
}

interface StepRow {
  readonly planId: string
  readonly key: string | null
  readonly step: string
  readonly state: string
  readonly tries: number
}

interface PlanOfStep {
  readonly root: string | null
  readonly options: ExamineOptions
}

/**
 * Carries out one step of the queue by its id. Throws only if its job is not this worker's any more, or the database is away:
 * then its job must stay as it is.
 */
export function openCarrying(options: CarryOptions): (id: string) => Promise<void> {
  const { postgres, transfer, task, root, gate, outage, hide, onResult, onFatal } = options
  const { query } = postgres
  const plans = new Map<string, Promise<PlanOfStep>>()
  const planOf = (planId: string): Promise<PlanOfStep> => {
    const known = plans.get(planId) ?? readPlan(planId)
    plans.set(planId, known)
    known.catch(() => plans.delete(planId))
    return known
  }
  const readPlan = async (planId: string): Promise<PlanOfStep> => {
    const [plan] = await query<{ root: string | null; match: string; made: string }>(
      'SELECT root, match, made FROM pubctl.plans WHERE "planId" = $1',
      [planId],
    )
    const { root, match, made } = plan as NonNullable<typeof plan>
    const createdSince = openSharedCreatedSince(postgres, { planId, made }, transfer)
    return { root, options: { createdSince, match, mayAskForSession: true } }
  }
  const putBack = async (id: string, after = 0) => await addJobs(query, task, [id], after)

  /** Whether the upload of a step was carried out by this queue, be it by another worker. */
  const isOfQueue = async ({ uploadRequestId }: PlanStep): Promise<boolean> =>
    uploadRequestId !== null && (await transfer.journal.get(uploadRequestId))?.stage === 'finished'

  async function run(step: PlanStep, plan: PlanOfStep): Promise<Result> {
    try {
      return await runStep(step, plan.options, transfer)
    } catch (error) {
      const failure = asFailure(error)
      const { code, message } = failure
      return { receipt: { ...receiptOf(step), error: { code, message } }, failure }
    }
  }

  return async id => {
    try {
      await outage.wait()
      await gate.pass()
    } catch (error) {
      if (!(error instanceof Failure) || isAnothers(error)) throw error
      return await putBack(id)
    }
    const [row] = await query<StepRow>(
      'SELECT "planId", key, step, state, tries FROM pubctl.steps WHERE id = $1',
      [id],
    )
    if (row === undefined || row.state !== 'waiting') return
    const plan = await planOf(row.planId)
    const step = movedTo(parseExactly(row.step) as PlanStep, plan.root, root)
    const { receipt, failure } = await run(step, plan)
    const result = { receipt: { ...receipt, key: row.key }, failure }
    outage.ended(failure?.code !== 'unreachable')
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
      receipt: withQueueOutcome(result.receipt, failure === undefined && (await isOfQueue(step))),
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
