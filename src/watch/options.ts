import type { PlanOptions } from '../catalogue/plan-options.ts'
import type { NamePattern } from '../plan/name-pattern.ts'
import type { FileOptions } from '../uploads/file-options.ts'
import type { Trigger } from './folder/names.ts'

/** The options of `watch` for sheets and ONIX messages. */
export interface RowOptions extends Pick<PlanOptions, 'keyField' | 'reissue' | 'isNew' | 'encoding'> {
  /** How the files of rows are named that name none. */
  readonly name: NamePattern
}

/** The options of `watch`. Times are in milliseconds. */
export interface WatchOptions extends FileOptions {
  readonly quietPeriod: number
  readonly scan: number
  /** Folders for what is done and what failed; by default `done` and `failed` within the watched one. */
  readonly done?: string | undefined
  readonly failed?: string | undefined
  readonly trigger?: Trigger | undefined
  readonly once: boolean
  readonly recursive: boolean
  readonly wait: boolean
  /** How sheets and ONIX messages are read, and their rows compared with the service, as by `catalogue plan`. */
  readonly rows: RowOptions
  /** How many files are sent at a time. */
  readonly concurrency: number
}
