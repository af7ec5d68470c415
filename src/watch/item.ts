import type { Origin } from '../plan/wanted.ts'
import { backoff } from '../system/backoff.ts'
import type { Receipt } from '../uploads/receipt.ts'
import type { Watched } from './folder/quiet-period.ts'
import type { Seen } from './folder/scan.ts'
import type { FileRow } from './folder/sheet-rows.ts'
import type { Settled } from './settle-file.ts'

/** What the watcher knows of a file, as long as the file does not change. */
export interface Item {
  watched: Watched
  readonly path: string
  /** Why it is not complete, or that it is; undefined before it was looked at. */
  completeness: { readonly why: string | undefined } | undefined
  /** Computed once it is complete. */
  sha256: string | undefined
  /** Whether an upload has it. */
  isUnderWay: boolean
  /** What became of it, if it could not be moved yet. */
  settled: Settled | undefined
  receipt: Receipt | undefined
  /** How often it had to wait, and until when on the monotonic clock. */
  attempts: number
  retryAt: number
  /** What was said about it, so that nothing is said twice. */
  readonly said: Set<string>
  /** Why it cannot go on: `trouble` if somebody has to do something about it. */
  stuck: 'trouble' | 'waiting' | undefined
  /** Of a sheet: its rows once it was read, or why it cannot be used. */
  sheet: { readonly rows: readonly FileRow[] } | { readonly why: string } | undefined
  /** Receipts of the rows that are settled. */
  readonly settledRows: Map<string, RowReceipt>
  /** Rows that named no file and for which none was found. */
  readonly withoutFile: Set<string>
}

/** What became of a row of a sheet. */
export interface RowReceipt
  extends Pick<
    Receipt,
    'key' | 'file' | 'sha256' | 'publicationId' | 'editionId' | 'outcome' | 'why' | 'error'
  > {
  readonly from: Origin
}

export const newItem = (watched: Watched): Item => ({
  watched,
  path: watched.seen.path,
  completeness: undefined,
  sha256: undefined,
  isUnderWay: false,
  settled: undefined,
  receipt: undefined,
  attempts: 0,
  retryAt: 0,
  said: new Set(),
  stuck: undefined,
  sheet: undefined,
  settledRows: new Map(),
  withoutFile: new Set(),
})

export const seenOf = ({ watched: { seen } }: Item): Seen => seen

/** The pause before something is tried again: it doubles with each attempt, up to five minutes. In milliseconds. */
export const pauseAfter = (attempts: number, first: number): number =>
  backoff(attempts, { first, most: Math.max(first, 300_000) })
