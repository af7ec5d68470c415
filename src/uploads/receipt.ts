import type { PublicationType } from '../service/contract/publication-type.ts'
import type { CheckedBy } from '../system/checked-by.ts'
import { exitCodes, Failure, type FailureDetail } from '../system/errors.ts'
import type { Warning } from '../system/warning.ts'

/** The outcomes, in the order of a tally. */
export const outcomes = ['uploaded', 'updated', 'skipped', 'conflict', 'stale', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of one file. What is unknown is null. */
export interface Receipt {
  /** Null for a step of a plan that needs no file. */
  file: string | null
  /** The title that the book has at the service, or is to have there. */
  title: string | null
  author: readonly string[] | null
  /** The key of a plan's step; other receipts have none. */
  key?: string | null
  sha256: string | null
  bytes: number | null
  type: PublicationType | null
  publicationId: string | null
  editionId: string | null
  uploadRequestId: string | null
  uploadStatus: string | null
  outcome: Outcome
  /** Why it was not uploaded although nothing failed, as a sentence without a full stop. */
  why: string | null
  warnings: Warning[]
  /** Who else has checked the book, if others were asked to. */
  checkedBy?: readonly CheckedBy[]
  error: ReceiptError | null
}

/** Why a file failed. */
export interface ReceiptError {
  readonly code: string
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** What is wrong in particular, such as the problems of a book. */
  readonly details?: readonly FailureDetail[]
  /** What the command ends with for this file alone. */
  readonly exitCode?: number
  /** What it makes the command end with where the file is one of a batch. */
  readonly batchExitCode?: number
}

export const errorOf = ({ code, message, hint, details, exitCode }: Failure): ReceiptError => ({
  ...{ code, message },
  // That of a wait is about the command, and the batch has a command of its own to go on with.
  ...(hint !== undefined && code !== 'wait_exhausted' && { hint }),
  ...(details !== undefined && { details }),
  exitCode,
})

/** A receipt with the failure that stopped the file, if one did. */
export interface Result {
  readonly receipt: Receipt
  readonly failure: Failure | undefined
}

/** The receipt of a file before anything is known of it. */
export const emptyReceipt = (file: string | null): Receipt => ({
  file,
  title: null,
  author: null,
  sha256: null,
  bytes: null,
  type: null,
  publicationId: null,
  editionId: null,
  uploadRequestId: null,
  uploadStatus: null,
  outcome: 'failed',
  why: null,
  warnings: [],
  error: null,
})

/** What a receipt is about, for messages. */
export const receiptName = ({ file, key, title, publicationId }: Receipt): string =>
  file ?? key ?? title ?? publicationId ?? 'a step'

/** The failure of a file that was not begun because the batch was stopped. */
export const notBegun = (): Failure =>
  new Failure('was not begun', { code: 'not_begun', exitCode: exitCodes.partFailed })

export const wasBegun = ({ failure }: Result): boolean => failure?.code !== 'not_begun'

/** Whether something failed. A file that was uploaded can have failed afterwards, for example in processing. */
export const isFailed = ({ outcome, error }: Pick<Receipt, 'outcome' | 'error'>): boolean =>
  error !== null || !['uploaded', 'updated', 'skipped'].includes(outcome)

/** What became of a book, in the order of a tally: its outcome, or how far it has come. */
export const ends = [
  'uploaded',
  'processing',
  'updated',
  'skipped',
  'conflict',
  'stale',
  'interrupted',
  'failed',
  'not begun',
] as const
export type End = (typeof ends)[number]

/**
 * What became of a book in one word. `uploaded` is what is available; what arrived, and was not waited for to the end, is
 * `processing`.
 */
export function endOf({
  outcome,
  uploadStatus,
  error,
}: Pick<Receipt, 'outcome' | 'error'> & { uploadStatus?: string | null }): End {
  if (error?.code === 'not_begun') return 'not begun'
  if (error?.code === 'interrupted') return 'interrupted'
  if (error?.exitCode === exitCodes.waitExhausted) return 'processing'
  if (error && (outcome === 'uploaded' || outcome === 'skipped')) return 'failed'
  if (outcome !== 'uploaded') return outcome
  return uploadStatus === undefined || uploadStatus === 'available' ? 'uploaded' : 'processing'
}

export const countsOf = (receipts: readonly Parameters<typeof endOf>[0][]): Record<End, number> => {
  const counts = Object.fromEntries(ends.map(end => [end, 0])) as Record<End, number>
  for (const receipt of receipts) counts[endOf(receipt)]++
  return counts
}

/** "3 uploaded, 1 skipped": zero counts are left out, except for uploaded. */
export const tallyOf = (receipts: readonly Parameters<typeof endOf>[0][]): string =>
  Object.entries(countsOf(receipts))
    .filter(([end, count]) => count > 0 || end === 'uploaded')
    .map(([end, count]) => `${count} ${end}`)
    .join(', ')

/** "3 of 11 failed, 8 uploaded": what became of a batch of which not everything was done, in one sentence. */
export function sumOf(receipts: readonly Receipt[], total: number): string {
  const failed = receipts.filter(receipt => isFailed(receipt) && endOf(receipt) !== 'processing')
  const others = receipts.filter(receipt => !failed.includes(receipt))
  const counts = Object.entries(countsOf(failed)).filter(([, count]) => count > 0)
  const kinds = counts.map(([end, count]) => `${count} ${end}`).join(', ')
  const [ends] = counts.map(([end]) => end)
  const which = counts.length > 1 || ends !== 'failed' ? ` (${kinds})` : ''
  const rest = Object.entries(countsOf(others)).flatMap(([end, count]) =>
    count === 0 ? [] : `${count} ${end === 'processing' ? 'still being processed' : end}`,
  )
  if (failed.length === 0) return rest.join(', ')
  return [`${failed.length} of ${total} failed${which}`, ...rest].join(', ')
}
