import type { LimitFunction } from 'p-limit'
import type { Call } from '../client/call.ts'
import type { Http } from '../client/http.ts'
import type { Reach } from '../client/reach.ts'
import type { Waiting } from '../client/retry.ts'
import type { Caller } from '../journal/caller.ts'
import type { Journal } from '../journal/journal.ts'
import type { Warning } from '../warning.ts'
import type { World } from '../world.ts'
import type { KeptCovers } from './kept-covers.ts'
import type { Pace } from './pace.ts'
import type { Read } from './reading.ts'

/** What a file is doing, for whoever shows it. */
type Step =
  | { readonly step: 'sending'; readonly sent: number; readonly total: number }
  | { readonly step: 'state'; readonly text: string }

/** What an upload needs of the world around it. */
export interface TransferContext extends Pick<World, 'clock' | 'signal'> {
  readonly call: Call
  readonly http: Http
  readonly journal: Journal
  readonly read: Read
  /** On whose behalf; its scope becomes known with the first answer. */
  readonly caller: Caller
  readonly userAgent: string
  /** The address of the service. */
  readonly baseUrl: string
  /** The longest wait for an answer that was asked for with `--timeout`, in milliseconds. */
  readonly timeout: number | undefined
  /** Milliseconds to wait for processing; 0 means not to wait. */
  readonly processingTimeout: number
  readonly waiting: Waiting
  readonly reach: Reach
  /** Aborted when no further file is to be begun; those that are being sent go on. */
  readonly halt: AbortSignal
  /** Each stage has a bound of its own, so that hashing, sending and asking do not hold each other up. */
  readonly limits: { readonly read: LimitFunction; readonly send: LimitFunction; readonly ask: LimitFunction }
  readonly pace: Pace
  readonly covers: KeptCovers
  /** The upload requests whose creation this process has asked for and has no answer to yet. */
  readonly creating: Set<string>
  readonly onStep: (file: string, step: Step) => void
  readonly onWarning: (warning: Warning) => void
}
