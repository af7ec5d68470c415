import type { FailedUpload } from './known.ts'
import type { Step } from './step.ts'

/** The same content has failed before, and would fail again. */
export function failedBefore({
  uploadStatus,
  publicationId,
  editionId,
  isLeft,
}: FailedUpload): Extract<Step, { action: 'conflict' }> {
  const failed = uploadStatus === 'upload_quarantine' ? 'was quarantined' : 'could not be processed'
  const left = isLeft && publicationId !== null ? `; ${withoutFile(publicationId)}` : ''
  return {
    action: 'conflict',
    why: `the same content ${failed} before, as ${publicationId}${left}`,
    hint: 'Change the file, or send it as it is with --again.',
    ...{ failedWith: uploadStatus, publicationId, editionId },
  }
}

/** What is said of a publication whose only upload has failed, and what to do with it. */
export const withoutFile = (publicationId: string): string =>
  `${publicationId} has no usable file; to delete it: pubctl publications delete ${publicationId}`
