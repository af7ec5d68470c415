import type { LimitFunction } from 'p-limit'
import type { Call } from '../service/client/call.ts'
import type { Reachability } from '../service/client/reachability.ts'
import type { Waiting } from '../service/client/retry.ts'
import type { Http } from '../system/http.ts'
import type { Warning } from '../system/warning.ts'
import type { World } from '../system/world.ts'
import type { AskedChecks } from './asked-checks.ts'
import type { Caller } from './journal/caller.ts'
import type { Journal } from './journal/journal.ts'
import type { OpenedChecks } from './opened-checks.ts'
import type { FileStore } from './reading/kept-files.ts'
import type { Read } from './reading/reading.ts'
import type { SentStore } from './sent/sent.ts'
import type { TransferLimit } from './transfer-limit.ts'

type FileProgress =
  | { readonly step: 'sending'; readonly sent: number; readonly total: number }
  | { readonly step: 'state'; readonly text: string }

/** What all uploads of a run share. */
export interface TransferContext<J extends Journal = Journal>
  extends Pick<World, 'clock' | 'signal' | 'mayRead'> {
  readonly call: Call
  readonly http: Http
  readonly journal: J
  readonly read: Read
  /** Opens what books are checked by, besides what is checked anyway. */
  readonly openChecks: (asked: AskedChecks) => Promise<OpenedChecks>
  /** The organisation; its scope is known after the first answer. */
  readonly caller: Caller
  readonly userAgent: string
  /** The address of the service. */
  readonly baseUrl: string
  /** `--timeout` in milliseconds: the longest wait for an answer. */
  readonly timeout: number | undefined
  /** Milliseconds to wait for processing; 0 means not to wait. */
  readonly processingTimeout: number
  readonly waiting: Waiting
  readonly reachability: Reachability
  /** Aborted when no further file is to be begun; files that are being sent continue. */
  readonly halt: AbortSignal
  /** Separate limits, so that reading, sending and requests do not block each other. */
  readonly limits: { readonly read: LimitFunction; readonly send: LimitFunction; readonly ask: LimitFunction }
  readonly transferLimit: TransferLimit
  readonly kept: FileStore
  /** What is sent to change fields, so that it can be told later from what others changed. */
  readonly sent: SentStore
  /** The upload requests whose creation is waiting for an answer. */
  readonly creating: Set<string>
  readonly onStep: (file: string, step: FileProgress) => void
  readonly onWarning: (warning: Warning) => void
}
