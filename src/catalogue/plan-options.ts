import type { Selection } from '../plan/selection.ts'
import type { ProductOptions } from '../plan/wanted-product.ts'
import type { OpenedChecks } from '../uploads/opened-checks.ts'
import type { ChangeLimit } from './change-limit.ts'

/** How sources are read and compared with the service. */
export interface CompareOptions extends ProductOptions, OpenedChecks {
  /** The file of the differences that are kept as known. */
  readonly accepted?: string | undefined
  readonly encoding?: string | undefined
  /** What columns of sheets mean, as in `Titel=title`. */
  readonly columns: readonly string[]
  /** Folders with the files of books, and the pattern of their names. */
  readonly folders: readonly string[]
  readonly name?: string | undefined
  /** How old the record of a planned row may be, in milliseconds. */
  readonly maxAge: number
}

/** The options of `catalogue plan`. */
export interface PlanOptions extends CompareOptions {
  readonly showsOrphans: boolean
  readonly out?: string | undefined
  /** The file of the page, if it is written. */
  readonly report?: string | undefined
  readonly detailedExitCode: boolean
  /** The steps that are shown and written. */
  readonly selection: Selection
  readonly maxChanges?: ChangeLimit | undefined
  /** The file of the job summary, if it is written. */
  readonly summary: string | undefined
}
