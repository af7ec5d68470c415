import type { PublicationType } from '../contract/publication.ts'
import { exitCodes, Failure } from '../errors.ts'

/** What came of one file. What is not known, or did not happen, is null. */
export interface Receipt {
  file: string
  sha256: string | null
  bytes: number | null
  type: PublicationType | null
  publicationId: string | null
  editionId: string | null
  uploadRequestId: string | null
  uploadStatus: string | null
  outcome: 'uploaded' | 'skipped' | 'failed'
  error: { code: string; message: string } | null
}

/** A receipt with the failure that stopped the file, if one did. */
export interface Result {
  readonly receipt: Receipt
  readonly failure: Failure | undefined
}

/** The receipt of a file of which nothing is known yet. */
export const emptyReceipt = (file: string): Receipt => ({
  file,
  sha256: null,
  bytes: null,
  type: null,
  publicationId: null,
  editionId: null,
  uploadRequestId: null,
  uploadStatus: null,
  outcome: 'failed',
  error: null,
})

/** Stands for a file that was not begun, since the batch was stopped before its turn. */
export const notBegun = (): Failure =>
  new Failure('was not begun', { code: 'not_begun', exitCode: exitCodes.partFailed })

export const wasBegun = ({ failure }: Result): boolean => failure?.code !== 'not_begun'
