import type { Context } from '../cli/context.ts'
import { undecidedActions } from '../plan/actions.ts'
import type { ChangeableFields } from '../plan/book-fields.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { Failure } from '../system/errors.ts'
import { showRequest } from '../uploads/batch/show-step.ts'
import type { StepRequest } from '../uploads/dry-run.ts'
import { staleFailure } from './apply/stale-failure.ts'
import { editionOfStep, isUploadStep } from './apply/upload-of-step.ts'
import type { StepVerdict } from './apply/verdict.ts'

/** Records a step of a plan and its requests for `--dry-run`; returns its failure, if it could not be carried out. */
export async function showPlannedStep(
  context: Context,
  step: PlanStep,
  examine: () => Promise<StepVerdict>,
): Promise<Failure | undefined> {
  const before = context.planned.length
  try {
    const verdict = undecidedActions.includes(step.action) ? undefined : await examine()
    if (verdict?.is === 'open') for (const request of requestsOf(step)) await showRequest(context, request)
    const shown = { ...step, ...changesOf(verdict) }
    context.planStep(shown, before)
    return verdict?.is === 'stale' ? staleFailure(step, verdict.why) : undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function changesOf(verdict: StepVerdict | undefined): object {
  if (verdict?.is === 'stale') return { action: 'stale', why: verdict.why }
  if (verdict?.is === 'done') return { action: 'skip', why: verdict.why }
  if (verdict?.is !== 'sent') return {}
  return verdict.isFinished
    ? { action: 'skip', why: 'it was uploaded before' }
    : { action: 'wait', why: 'it was sent before' }
}

function requestsOf(step: PlanStep): StepRequest[] {
  if (step.action === 'update') {
    const send = step.send as ChangeableFields
    return [{ request: 'update', publicationId: step.publicationId as string, send }]
  }
  if (!isUploadStep(step)) return []
  const { file, bytes, send: body } = step
  return [
    { request: 'create', editionOf: editionOfStep(step), body },
    { request: 'send', what: 'file', file, bytes },
  ]
}
