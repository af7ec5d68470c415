import type { PublicationType } from '../service/contract/publication-type.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import type { Warning } from '../system/warning.ts'

/** The outcomes, in the order of a tally. */
export const outcomes = ['uploaded', 'updated', 'skipped', 'conflict', 'stale', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of one file. What is unknown is null. */
export interface Receipt {
  /** Null for a step of a plan that needs no file. */
  file: string | null
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
  error: ReceiptError | null
}

/** Why a file failed. */
export interface ReceiptError {
  readonly code: string
  readonly message: string
  /** What the command ends with for this file alone. */
  readonly exitCode?: number
  /** What it makes the command end with where the file is one of a batch. */
  readonly batchExitCode?: number
}

export const errorOf = ({ code, message, exitCode }: Failure): ReceiptError => ({ code, message, exitCode })

/** A receipt with the failure that stopped the file, if one did. */
export interface Result {
  readonly receipt: Receipt
  readonly failure: Failure | undefined
}

/** The receipt of a file before anything is known of it. */
export const emptyReceipt = (file: string | null): Receipt => ({
  file,
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
export const receiptName = ({ file, key, publicationId }: Receipt): string =>
  file ?? key ?? publicationId ?? 'a step'

/** The failure of a file that was not begun because the batch was stopped. */
export const notBegun = (): Failure =>
  new Failure('was not begun', { code: 'not_begun', exitCode: exitCodes.partFailed })

export const wasBegun = ({ failure }: Result): boolean => failure?.code !== 'not_begun'

/** Whether something failed. A file that was uploaded can have failed afterwards, for example in processing. */
export const isFailed = ({ outcome, error }: Pick<Receipt, 'outcome' | 'error'>): boolean =>
  error !== null || !['uploaded', 'updated', 'skipped'].includes(outcome)

export const countsOf = (receipts: readonly Receipt[]): Record<Outcome, number> =>
  Object.fromEntries(
    outcomes.map(name => [name, receipts.filter(({ outcome }) => outcome === name).length]),
  ) as Record<Outcome, number>

/** "3 uploaded, 1 skipped": zero counts are left out, except for uploaded. */
export const tallyOf = (receipts: readonly Receipt[]): string =>
  Object.entries(countsOf(receipts))
    .filter(([outcome, count]) => count > 0 || outcome === 'uploaded')
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
