import type { Creation } from '../../plan/creation.ts'
import type { PlanStep } from '../../plan/plan-step.ts'
import type { UploadPlan } from '../../plan/upload-plan.ts'

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

/** The upload of a step. `modified` is the file's modification time in milliseconds since 1970. */
export const uploadOfStep = (
  { file, sha256, bytes, send, cover }: UploadStep,
  modified: number,
): UploadPlan & { sha256: string } => ({
  ...{ path: file, file, bytes, modified, sha256, creation: send },
  // The body is sent as it was planned, an edition's language included.
  overrides: send.language === undefined ? {} : { language: send.language },
  own: { title: undefined, authors: [] },
  cover: cover ?? 'none',
  coverBytes: undefined,
  warnings: [],
})
