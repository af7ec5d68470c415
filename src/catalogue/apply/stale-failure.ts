import type { PlanStep } from '../../plan/plan-step.ts'
import { exitCodes, Failure } from '../../system/errors.ts'

/** The failure of a step that does not fit the service, the file or the journal any more. */
export const staleFailure = (
  { file, key, publicationId }: Pick<PlanStep, 'file' | 'key' | 'publicationId'>,
  why: string,
  hint = 'Plan again with "pubctl catalogue plan", and apply the new plan.',
): Failure =>
  new Failure(`${file ?? key ?? publicationId} was not carried out: ${why}`, {
    code: 'stale',
    exitCode: exitCodes.partFailed,
    hint,
  })
