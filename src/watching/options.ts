import type { Trigger } from '../sources/hot-folder/names.ts'
import type { FileOptions } from '../transfer/file-options.ts'

/** The options of `watch`. Times are in milliseconds. */
export interface WatchOptions extends FileOptions {
  readonly quietPeriod: number
  readonly scan: number
  /** Folders for what is done and what failed; by default `done` and `failed` within the watched one. */
  readonly done: string | undefined
  readonly failed: string | undefined
  readonly trigger: Trigger | undefined
  readonly once: boolean
  readonly recursive: boolean
  /** Whether to wait for processing. */
  readonly wait: boolean
  /** How many files are sent at a time. */
  readonly concurrency: number
}
