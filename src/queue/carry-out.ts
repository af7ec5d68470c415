import type { CreatedSince } from '../catalogue/apply/created-since.ts'
import { runStep } from '../catalogue/apply/plan-tasks.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { backoff } from '../system/backoff.ts'
import { asFailure, exitCodes, Failure, Interrupted } from '../system/errors.ts'
import type { AskedChecks } from '../uploads/asked-checks.ts'
import { receiptOf } from '../uploads/execute.ts'
import type { Journal } from '../uploads/journal/journal.ts'
import { emptyReceipt, errorOf, type Receipt, type Result, wasBegun } from '../uploads/receipt.ts'
import type { TransferContext } from '../uploads/transfer-context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { addJobs, taskOf } from './load.ts'
import { belowRoot } from './local-path.ts'
import type { Postgres } from './postgres/postgres.ts'
import { openSteps } from './read-steps.ts'
import { openSharedCreatedSince } from './shared-created-since.ts'
import { openEnds, type StepEnd } from './step-ends.ts'
import { badStep, outsideWorkerRoot, type StepRow, stepOfRow } from './step-of-row.ts'

interface CarryOptions {
  readonly postgres: Postgres
  readonly transfer: TransferContext
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  /** The folder here that has the files of a plan's folder. */
  readonly root: string | undefined
  /** What books are checked by that nobody but pubctl has checked yet. */
  readonly asked?: AskedChecks | undefined
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
  const { postgres, transfer, task, root, asked, gate, breaker, hide, onResult, onFatal } = options
  const { query } = postgres
  const readStep = openSteps(query, transfer.clock)
  const ends = openEnds(postgres, transfer.clock)
  const created = new Map<string, CreatedSince>()
  /** What was created since a plan was made is asked once. */
  const createdSince = ({ planId, made }: StepRow): CreatedSince => {
    const known = created.get(planId) ?? openSharedCreatedSince(postgres, { planId, made }, transfer)
    created.set(planId, known)
    return known
  }
  const putBack = async (id: string) => await addJobs(query, task, [id], 0)

  /** Whether the upload of a step was carried out by this queue, be it by another worker. */
  const isOfQueue = async ({ uploadRequestId }: Receipt): Promise<boolean> =>
    uploadRequestId !== null && (await transfer.journal.get(uploadRequestId))?.stage === 'finished'

  /** The journal, which is not asked at first for an upload that it does not have, as the row of its step says. */
  const journalFor = ({ id, isBegun }: StepRow & { readonly id: string }): Journal => {
    let isKnown = !isBegun
    const get: Journal['get'] = uploadRequestId => {
      if (!isKnown || uploadRequestId !== id) return transfer.journal.get(uploadRequestId)
      isKnown = false
      return undefined
    }
    return { ...transfer.journal, get }
  }

  async function run(row: StepRow & { readonly id: string }): Promise<Result> {
    let step: PlanStep | undefined
    try {
      if (taskOf(row) !== task) throw badStep('its plan is for another service or organisation')
      const mayRead = belowRoot(row.root, root)
      step = stepOfRow(row, root, mayRead)
      const options = { createdSince: createdSince(row), match: row.match, asked, mayAskForSession: true }
      // What the journal in the database names is opened there as well.
      const result = await runStep(step, options, { ...transfer, journal: journalFor(row), mayRead })
      if (result.failure?.code === 'outside_root')
        throw outsideWorkerRoot(result.receipt.file ?? 'a file of the journal', root ?? row.root)
      return result
    } catch (error) {
      const failure = asFailure(error)
      return {
        receipt: { ...(step ? receiptOf({ step }) : emptyReceipt(null)), error: errorOf(failure) },
        failure,
      }
    }
  }

  /** Carries out a step once the service may be asked; undefined if it is not to be carried out any more. */
  async function runWhenDue(id: string) {
    const isTrial = await breaker.wait()
    let wasReached: boolean | undefined
    try {
      await gate.pass()
      const row = await readStep(id)
      if (row === undefined || row.state !== 'waiting') return undefined
      if (isTrial) transfer.reachability.tryAgain()
      const result = await run({ ...row, id })
      wasReached = result.failure?.code !== 'unreachable'
      return { row, ...result }
    } finally {
      breaker.ended(wasReached, isTrial)
    }
  }

  return async id => {
    let ran: Awaited<ReturnType<typeof runWhenDue>>
    try {
      ran = await runWhenDue(id)
    } catch (error) {
      if (!(error instanceof Failure) || isAnothers(error)) throw error
      return await putBack(id)
    }
    if (ran === undefined) return
    const { row, receipt, failure } = ran
    const result = { receipt: { ...receipt, key: row.key }, failure }
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
      receipt:
        failure === undefined && result.receipt.outcome === 'skipped' && (await isOfQueue(result.receipt))
          ? uploadedByQueue(result.receipt)
          : result.receipt,
      failure: failure && hidden(failure, hide),
    }
    const end = endOf({ id, tries }, told, settlement)
    if (settlement.is === 'later') await ends.storeAndTryAgain(end, task, settlement.after)
    else await ends.store(end)
    onResult(told, settlement)
  }
}

/** Whether a job must stay as it is: it is another worker's by now, or the database is away. */
const isAnothers = ({ code }: Failure): boolean =>
  code === 'upload_taken' || /^database_|^journal_/.test(code)

const hidden = ({ message, code, exitCode, hint }: Failure, hide: (text: string) => string): Failure =>
  new Failure(hide(message), { code, exitCode, hint: hint && hide(hint) })

/** What happens to a step that was carried out, or could not be. */
type Settlement =
  | { readonly is: 'done' }
  /** It stays in the queue, and is tried again after so many seconds. */
  | { readonly is: 'later'; readonly after: number }
  /** It is tried again when somebody asks for it. */
  | { readonly is: 'failed' }

/** How often a step is tried that fails for a reason that may pass. */
const mostTries = 8

/** Decides on a step by how its last try ended; `tries` counts that one. */
function settlementOf(failure: Failure | undefined, tries: number): Settlement {
  if (failure === undefined) return { is: 'done' }
  // Another worker may have a path to the file, or this one later.
  if (failure.code === 'file_unreadable')
    return { is: 'later', after: backoff(tries, { first: 1, most: 600 }) }
  const mayPass = failure.exitCode === exitCodes.network || failure.exitCode === exitCodes.waitExhausted
  return mayPass && tries < mostTries
    ? { is: 'later', after: backoff(tries, { first: 1, most: 3600 }) }
    : { is: 'failed' }
}

const endOf = (
  { id, tries }: Pick<StepEnd, 'id' | 'tries'>,
  { receipt: { outcome, publicationId }, failure }: Result,
  settlement: Settlement,
): StepEnd => ({
  ...{ id, tries, outcome, publicationId, state: settlement.is === 'later' ? 'waiting' : settlement.is },
  ...{ errorCode: failure?.code ?? null, errorMessage: failure?.message ?? null },
  errorHint: failure?.hint ?? null,
})

/** The receipt of a step that was skipped since another worker had ended its upload. */
const uploadedByQueue = (receipt: Receipt): Receipt => ({ ...receipt, outcome: 'uploaded', why: null })
