import type { PlanHeader, PlanStep } from '../../plan/plan-step.ts'
import type { AskedChecks } from '../../uploads/asked-checks.ts'
import type { Task } from '../../uploads/batch.ts'
import { execute, type Ready, receiptOf } from '../../uploads/execute.ts'
import { errorOf, notBegun, type Result } from '../../uploads/receipt.ts'
import type { TransferContext } from '../../uploads/transfer-context.ts'
import { withReceipt } from '../../uploads/with-receipt.ts'
import { openCreatedSince } from './created-since.ts'
import { type ExamineOptions, readyStep } from './examine.ts'
import { staleFailure } from './stale-failure.ts'

/** A step of a plan that is read when it is carried out. */
export interface TaskStep extends Pick<PlanStep, 'action' | 'key' | 'file'> {
  read(): Promise<PlanStep>
}

/** Makes a step ready: to be carried out, or to be undone. */
export type ReadyOf = typeof readyStep

/** Carries out the steps of a plan. */
export function planTasks(
  steps: readonly TaskStep[],
  { made, match }: Pick<PlanHeader, 'made' | 'match'>,
  context: TransferContext,
  { ready = readyStep, asked }: { readonly ready?: ReadyOf; readonly asked?: AskedChecks | undefined } = {},
): Task[] {
  const createdSince = openCreatedSince(Date.parse(made), context)
  const options = { createdSince, match, asked, mayAskForSession: true }
  return steps.map(({ key, file, read }) => ({
    file,
    async run() {
      if (context.halt.aborted) throw notBegun()
      const { receipt, failure } = await runStep(await read(), options, context, ready)
      // What is left to people is counted, and fails nothing.
      return { receipt: { ...receipt, key }, failure: receipt.outcome === 'conflict' ? undefined : failure }
    },
  }))
}

/** Carries out one step as far as it is still to be done. */
export async function runStep(
  step: PlanStep,
  options: ExamineOptions,
  context: TransferContext,
  readyOf: ReadyOf = readyStep,
): Promise<Result> {
  // Plans of older versions have none.
  const receipt = receiptOf({ step, warnings: step.warnings ?? [] })
  let ready: Ready | undefined
  const examined = await withReceipt(receipt, context, async examining => {
    ready = await readyOf(step, examining, options)
  })
  if (ready === undefined) return examined
  const { warnings = receipt.warnings } = ready
  // Those of the plan were told when it was made.
  for (const each of warnings) if (!receipt.warnings.includes(each)) context.onWarning(each)
  const result = await execute({ ...ready, warnings }, context).finally(
    () => step.uploadRequestId !== null && context.kept.drop(step.uploadRequestId),
  )
  if (!['upload_gone', 'unknown_upload'].includes(result.failure?.code ?? '')) return result
  const failure = staleFailure(step, `${result.failure?.message}`)
  return { receipt: { ...result.receipt, outcome: 'stale', error: errorOf(failure) }, failure }
}
