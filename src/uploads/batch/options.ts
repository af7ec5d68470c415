import type { Part } from '../../plan/divide.ts'
import type { IfChanged, WantedFile } from '../../plan/wanted.ts'

/** The options of every command that uploads or resumes. */
export interface RunOptions {
  readonly wait: boolean
  readonly concurrency: number
  readonly stopOnError?: boolean | undefined
  readonly report?: string | undefined
  /** The file of the job summary, if it is written. */
  readonly summary?: string | undefined
  /** Whether and how files are compared with the service. */
  readonly skipExisting?: true | undefined
  readonly ifChanged?: IfChanged | undefined
  /** Whether files are uploaded even if they were uploaded before. */
  readonly again?: true | undefined
  /** What books are checked by, besides what is checked anyway, and whether warnings stop them. */
  readonly strict?: true | undefined
  readonly rules?: readonly string[] | undefined
  readonly epubcheck?: boolean | undefined
}

/** One file of a run, or one step of a plan. */
export interface BatchRow {
  readonly file: string | null
  /** The key of a plan's step. */
  readonly key?: string | null
  /** Whether its receipt is left out of a table at a terminal without --verbose: there can be many. */
  readonly isQuiet?: boolean
  /** How much is sent; if it is not known, the size of the file. */
  readonly bytes?: number | null
}

export interface Batch {
  readonly rows: readonly BatchRow[]
  /** Whether the receipts are shown as a list, even if there is only one. */
  readonly isList: boolean
  /** Whether they were named as a batch: a folder, a pattern and a sheet are one, however many files they have. */
  readonly isBatch?: boolean
  /** The files again, if those that fail are to be listed in failed.csv. */
  readonly again?: readonly WantedFile[]
  /** The plan that is carried out, if it is one. */
  readonly plan?: PlanEnding
  /** What the files are of a whole that several machines share. */
  readonly part?: Part | undefined
}

/** Whether the results are those of many, even if there is only one. */
export const isMany = ({ rows, isBatch = false, plan, part }: Batch): boolean =>
  rows.length > 1 || isBatch || plan !== undefined || part !== undefined

/** What is said at the end of a plan. */
export interface PlanEnding {
  readonly planId: string
  /** The metadata key by which its books were matched: `isbn`, or another. */
  readonly match: string
  /** The command that continues with what is left. */
  readonly continueWith: string
  /** Lines about what was left to people. */
  readonly remarks: readonly string[]
}
