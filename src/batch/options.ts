import type { IfChanged, WantedFile } from '../plan/wanted.ts'

/** The options of every command that uploads or resumes. */
export interface RunOptions {
  readonly wait: boolean
  readonly concurrency: number
  readonly stopOnError?: boolean | undefined
  readonly report?: string | undefined
  /** Whether and how files are compared with the service. */
  readonly skipExisting?: true | undefined
  readonly ifChanged?: IfChanged | undefined
}

/** The files of one run. */
export interface Batch {
  readonly rows: readonly WantedFile[]
  /** Whether the receipts are shown as a list, even if there is only one. */
  readonly isList: boolean
  /** Whether uploads are resumed; the rows then have no overrides. */
  readonly isResumed?: boolean
}
