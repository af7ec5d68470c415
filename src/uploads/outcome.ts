import { withoutFile } from '../plan/failed-before.ts'
import type { Resource } from '../service/client/read.ts'
import { type Edition, type Publication, terminalUploadStatuses } from '../service/contract/publication.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import type { Entry } from './journal/entry.ts'

/** The edition with the highest version; of equal versions the last. */
export function newestEdition(
  publication: Resource<typeof Publication> | null,
): Resource<typeof Edition> | undefined {
  let newest: Resource<typeof Edition> | undefined
  for (const edition of publication?.editions ?? []) {
    if (newest === undefined || (edition.version ?? 0) >= (newest.version ?? 0)) newest = edition
  }
  return newest
}

/** How long to wait for processing without `--timeout`, in milliseconds. */
export const defaultProcessingTimeout = 30 * 60_000

/** Whether processing has ended, well or not (§3.1). An unknown status counts as not final. */
export const isFinalStatus = (uploadStatus: unknown): boolean =>
  (terminalUploadStatuses as readonly unknown[]).includes(uploadStatus)

/**
 * The failure for an upload status; undefined if the book is available or still in processing. With `upload`, it says which
 * publication is left.
 */
export function failureOfStatus(
  uploadStatus: unknown,
  name: string,
  upload?: Pick<Entry, 'publicationId' | 'editionOf'>,
): Failure | undefined {
  // The publication of an edition has others, which must not be deleted with it.
  const left =
    upload?.publicationId && upload.editionOf === null ? `; ${withoutFile(upload.publicationId)}` : ''
  if (uploadStatus === 'upload_quarantine') {
    return new Failure(`${name} was quarantined: the security scan found something in it${left}`, {
      code: 'upload_quarantine',
      exitCode: exitCodes.quarantined,
      hint: 'Check the file with a virus scanner; the service keeps it locked away.',
    })
  }
  if (uploadStatus === 'upload_failed') {
    return new Failure(`${name} could not be processed by the service${left}`, {
      code: 'upload_failed',
      exitCode: exitCodes.processingFailed,
      hint: 'The file may be damaged or not of the type it claims; "pubctl inspect" tells what it is.',
    })
  }
  return undefined
}
