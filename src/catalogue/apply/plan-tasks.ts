import { undecidedActions } from '../../plan/actions.ts'
import type { ChangeableFields } from '../../plan/book-fields.ts'
import type { PlanHeader, PlanStep } from '../../plan/plan-step.ts'
import { publications } from '../../service/contract/publications.ts'
import { changeOf } from '../../uploads/apply.ts'
import type { Task } from '../../uploads/batch.ts'
import { failureOfStatus, isFinalStatus } from '../../uploads/outcome.ts'
import { waitUntilProcessed } from '../../uploads/processing.ts'
import {
  emptyReceipt,
  errorOf,
  notBegun,
  type Receipt,
  type Result,
  receiptName,
} from '../../uploads/receipt.ts'
import { resumeUpload, runPlannedUpload } from '../../uploads/run.ts'
import { settle } from '../../uploads/settle.ts'
import type { TransferContext } from '../../uploads/transfer-context.ts'
import { openCreatedSince } from './created-since.ts'
import { type ExamineOptions, examine } from './examine.ts'
import { staleFailure } from './stale-failure.ts'
import { undecided } from './undecided.ts'
import { editionOfStep, isUploadStep, uploadOfStep } from './upload-of-step.ts'
import type { StepVerdict } from './verdict.ts'

/** A step of a plan that is read when it is carried out. */
export interface TaskStep extends Pick<PlanStep, 'action' | 'key' | 'file'> {
  read(): Promise<PlanStep>
}

/** Carries out the steps of a plan. */
export function planTasks(
  steps: readonly TaskStep[],
  { made, match }: Pick<PlanHeader, 'made' | 'match'>,
  context: TransferContext,
): Task[] {
  const createdSince = openCreatedSince(Date.parse(made), context)
  const options = { createdSince, match, mayAskForSession: true }
  return steps.map(({ key, file, read }) => ({
    file,
    async run() {
      if (context.halt.aborted) throw notBegun()
      const { receipt, failure } = await runStep(await read(), options, context)
      return { receipt: { ...receipt, key }, failure }
    },
  }))
}

/** Carries out one step as far as it is still to be done. */
export async function runStep(
  step: PlanStep,
  options: ExamineOptions,
  context: TransferContext,
): Promise<Result> {
  const { action, why, file, sha256, bytes, type, publicationId, editionId, uploadRequestId } = step
  const receipt: Receipt = {
    ...emptyReceipt(file),
    ...{ sha256, bytes, type, publicationId, editionId, uploadRequestId, why },
  }
  if (undecidedActions.includes(action)) {
    const error = errorOf(undecided(step))
    return { receipt: { ...receipt, outcome: 'conflict', error }, failure: undefined }
  }
  let verdict: StepVerdict | undefined
  const examined = await settle(receipt, context, async examining => {
    verdict = await examine(step, examining, options)
    if (verdict.is === 'stale') throw staleFailure(step, verdict.why)
  })
  if (verdict?.is === 'stale') Object.assign(receipt, { why: null, outcome: 'stale' })
  if (verdict === undefined || examined.failure) return examined
  return await carryOut(step, verdict, receipt, context)
}

async function carryOut(
  step: PlanStep,
  verdict: StepVerdict,
  receipt: Receipt,
  context: TransferContext,
): Promise<Result> {
  if (verdict.is === 'done') {
    const { why, publicationId, editionId, uploadStatus } = verdict
    Object.assign(receipt, { why, publicationId, editionId, uploadStatus, outcome: 'skipped' })
    return await settle(receipt, context, async within => {
      if (step.action !== 'update') await settleProcessing(step, receipt, within)
    })
  }
  if (step.action === 'update') {
    return await settle(receipt, context, async ({ call, limits }) => {
      const send = step.send as ChangeableFields
      await limits.ask(() => call(publications.update, changeOf(step.publicationId as string, send)))
      receipt.outcome = 'updated'
    })
  }
  const result = await upload(step, verdict, context)
  if (result.failure?.code !== 'upload_gone') return result
  const failure = staleFailure(step, result.failure.message)
  const error = errorOf(failure)
  return { receipt: { ...result.receipt, outcome: 'stale', error }, failure }
}

async function upload(step: PlanStep, verdict: StepVerdict, context: TransferContext): Promise<Result> {
  if (verdict.is === 'open' && verdict.modified !== null && isUploadStep(step)) {
    const entry = await context.journal.get(step.uploadRequestId)
    const editionOf = entry ? entry.editionOf : editionOfStep(step)
    return await runPlannedUpload(uploadOfStep(step, verdict.modified), context, editionOf)
  }
  const entry = await context.journal.get(step.uploadRequestId as string)
  if (entry) return await resumeUpload(entry, context)
  // Another process has removed it from the journal in between.
  const failure = staleFailure(step, 'it is no longer in the journal')
  return { receipt: { ...emptyReceipt(step.file), outcome: 'stale' }, failure }
}

/** Waits for the processing of what has been there before; throws if it failed. */
async function settleProcessing(step: PlanStep, receipt: Receipt, context: TransferContext): Promise<void> {
  const { publicationId, editionId } = receipt
  const file = step.file ?? receiptName(receipt)
  const failed = failureOfStatus(receipt.uploadStatus, file)
  if (failed) throw failed
  if (isFinalStatus(receipt.uploadStatus) || context.processingTimeout === 0) return
  const editionOf = step.action === 'create' ? null : publicationId
  await waitUntilProcessed(
    { publicationId, editionId, editionOf, file },
    file,
    context,
    async ({ uploadStatus }) => {
      if (uploadStatus !== undefined) receipt.uploadStatus = uploadStatus
    },
  )
}
