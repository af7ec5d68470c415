import type { Creation } from '../../plan/creation.ts'
import type { PlanStep } from '../../plan/plan-step.ts'
import type { UploadPlan } from '../../plan/upload-plan.ts'
import { fingerprintOf } from '../../uploads/lookup/fingerprint.ts'
import type { NewUpload } from '../../uploads/run-upload.ts'

/** A step that uploads a file. */
export interface UploadStep extends PlanStep {
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  readonly send: Creation
  readonly uploadRequestId: string
}

/** Whether a step says everything that an upload needs; one that continues an upload may leave that to the journal. */
export const isUploadStep = (step: PlanStep): step is UploadStep =>
  step.send !== null &&
  'edition' in step.send &&
  [step.file, step.sha256, step.bytes, step.uploadRequestId].every(each => each !== null)

/** The publication that the upload becomes an edition of; null for a publication of its own. */
export const editionOfStep = ({ action, before, publicationId }: PlanStep): string | null =>
  action === 'edition' || before !== null ? publicationId : null

/** The upload of a step, whose body is sent as it was planned. `modified` is in milliseconds since 1970. */
export function uploadOfStep(
  { file, sha256, bytes, send, uploadRequestId, ...step }: UploadStep,
  modified: number,
  editionOf: string | null,
): NewUpload {
  const cover = step.cover ?? 'none'
  // An edition's language is sent, too.
  const overrides: UploadPlan['overrides'] = send.language === undefined ? {} : { language: send.language }
  const fingerprint = fingerprintOf({ file, cover, creation: send, overrides }, editionOf)
  return { file, bytes, modified, sha256, cover, creation: send, editionOf, uploadRequestId, fingerprint }
}
