import { setMaxListeners } from 'node:events'
import type { LimitFunction } from 'p-limit'
import { createReachability } from '../service/client/reachability.ts'
import { attemptsOf } from '../service/client/retry.ts'
import { Failure } from '../system/errors.ts'
import { optimiseLater } from '../system/optimise-later.ts'
import type { Journal } from './journal/journal.ts'
import { openFileStore } from './reading/kept-files.ts'
import type { Read } from './reading/reading.ts'
import type { TransferContext } from './transfer-context.ts'
import { judgedEvery, openTransferLimit } from './transfer-limit.ts'

/** How often a running upload renews its claim in the journal, in milliseconds. */
const renewal = 5000

/** From this many files on, a reading thread is worth its start-up time. */
const worthAThread = 8

/** How many files are sent at a time for each one that is read: were fewer read, sending would wait for them. */
const sentForEachRead = 2

type Given =
  | ('call' | 'http' | 'journal' | 'sent' | 'caller' | 'clock' | 'signal' | 'mayRead' | 'userAgent')
  | ('baseUrl' | 'openChecks')
  | ('timeout' | 'processingTimeout' | 'waiting' | 'onStep' | 'onWarning')

interface TransferOptions<J extends Journal> extends Pick<TransferContext<J>, Given> {
  /** How many files are sent at a time. */
  readonly concurrency: number
  /** How many files there are. */
  readonly files: number
}

export interface OpenTransfer<J extends Journal> {
  readonly transfer: TransferContext<J>
  /** Limits the files that are in progress at a time. */
  readonly underWay: LimitFunction
  readonly halt: AbortController
  /** Closes everything, the journal and what was sent included. */
  close(): Promise<void>
}

/** Opens everything that the uploads of one run share. */
export async function openTransfer<J extends Journal>({
  concurrency,
  files,
  call,
  ...given
}: TransferOptions<J>): Promise<OpenTransfer<J>> {
  const { default: pLimit } = await import('p-limit')
  const { clock, signal, journal, sent } = given
  // Every file in progress listens to it, which Node would report as a leak.
  setMaxListeners(0, signal)
  const send = pLimit(concurrency)
  const transferLimit = openTransferLimit(send)
  const endPacing = clock.every(judgedEvery, transferLimit.judge)
  const endRenewing = clock.every(renewal, () => void renewClaims(journal))
  const halt = new AbortController()
  const reachability = createReachability(clock)
  const reader = await openReader(files)
  return {
    halt,
    transfer: {
      ...given,
      halt: AbortSignal.any([halt.signal, signal]),
      call: (endpoint, input, options) =>
        call(endpoint, input, { attempts: attemptsOf.upload, reachability, ...options }),
      read: reader.read,
      reachability,
      limits: { read: pLimit(Math.max(2, Math.ceil(concurrency / sentForEachRead))), send, ask: pLimit(8) },
      transferLimit,
      kept: openFileStore(),
      creating: new Set(),
    },
    // Waiting for processing costs little, so more files can be in progress than are sent.
    underWay: pLimit(concurrency * 64),
    async close() {
      endRenewing()
      endPacing()
      await reader.close()
      sent.close()
      await journal.close()
    },
  }
}

/** Renews the claims. Errors are ignored, because the next write reports them. */
async function renewClaims(journal: Journal): Promise<void> {
  try {
    await journal.renew()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Reads the books of a run, in a separate thread if there are many. */
async function openReader(files: number): Promise<{ read: Read; close(): Promise<void> }> {
  if (files >= worthAThread) {
    try {
      return (await import('./reading/thread.ts')).openReadingThread(files)
    } catch {
      // The system gives no thread, and books are read in this one.
    }
  }
  const { readHere } = await import('./reading/reading.ts')
  const optimiseAsUsual = optimiseLater(files)
  return { read: readHere, close: async () => optimiseAsUsual() }
}
