import type { ShardHead } from './shard-head.ts'

/** What a report says of the run that made it. */
export interface ReportFacts {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The version of pubctl. */
  readonly version: string
  /** The command that made it, such as `publications upload`. */
  readonly command: string
  /** The address of the service, or the sandbox's folder. */
  readonly target: string
  /** The organisation; null if the service named none. */
  readonly scopeId: string | null
  /** Undefined if the batch was not divided. */
  readonly head?: ShardHead | undefined
}
