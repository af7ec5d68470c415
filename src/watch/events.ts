import type { View } from '../cli/output/view.ts'

/** What a watcher says, in the order of a file's life. */
type EventName =
  | 'watching'
  | 'found'
  | 'waiting'
  | 'left-alone'
  | 'sending'
  | 'done'
  | 'failed'
  | 'retry'
  | 'not-moved'
  | 'folder-away'
  | 'folder-back'
  | 'service-away'
  | 'service-back'
  | 'stopped'

/** One event. What does not apply is left out. */
export interface WatchEvent {
  /** When, as an ISO timestamp. */
  readonly time: string
  readonly event: EventName
  /** The file or folder that it is about, as an absolute path. */
  readonly file?: string
  /** A clause without a full stop. */
  readonly why?: string
  readonly bytes?: number | null
  readonly sha256?: string | null
  readonly publicationId?: string | null
  readonly editionId?: string | null
  /** As in the receipt. */
  readonly outcome?: string
  readonly error?: { readonly code: string; readonly message: string } | null
  /** Where the file is now, and its receipt. */
  readonly movedTo?: string
  readonly receipt?: string
  /** At the end: how many files were done and how many failed. */
  readonly counts?: { readonly done: number; readonly failed: number; readonly waiting: number }
}

/** An event before it gets its time. */
export type Said = Omit<WatchEvent, 'time'>

export const eventView: View = {
  columns: [
    { field: 'time', isCutLast: true },
    { field: 'event', isCutLast: true },
    { field: 'file', isPath: true },
    { field: 'publicationId' },
    { field: 'outcome' },
    { field: 'why', isMain: true },
    { field: 'error.message', label: 'error' },
    { field: 'movedTo', isPath: true },
  ],
  fields: () =>
    new Set(
      `time event file why bytes sha256 publicationId editionId outcome error error.code error.message movedTo receipt
       counts counts.done counts.failed counts.waiting`.split(/\s+/),
    ),
  empty: 'Nothing happened.',
}
