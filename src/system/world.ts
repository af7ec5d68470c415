import { homedir } from 'node:os'
import type { Readable } from 'node:stream'
import type { Http } from './http.ts'
import { anyFile, type MayRead } from './may-read.ts'
import { monotonic } from './monotonic.ts'
import type { OpenPager } from './pager.ts'
import { type OutputStream, openOutput } from './standard-output.ts'

/** Time, passed in so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, for times that are shown, stored or compared with other machines. */
  now(): number
  /** Milliseconds that never go back, even when the clock is set: for deadlines, pauses and rates. */
  monotonic(): number
  /** Resolves after a number of milliseconds, and never earlier. Rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `ring` once, after a number of milliseconds. Returns what keeps it from being called. */
  after(milliseconds: number, ring: () => void): () => void
  /** Calls `ring` again and again, which keeps no process from ending. Returns what ends that. */
  every(milliseconds: number, ring: () => void): () => void
}

/** Everything of the process that pubctl uses, passed in so that tests can pass in their own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly clock: Clock
  /** Which files may be read; an agent names those of a folder alone. */
  readonly mayRead: MayRead
  /** Opens the network; undefined for that of this machine. */
  readonly openHttp?: (env: World['env']) => Http
  /** Opens a pager at the terminal. A program that has none prints everything at once. */
  readonly loadPager?: () => Promise<OpenPager>
  /** Told what a command does, by a program that shows it in its own way. */
  readonly onProgress?: (text: string) => void
  /** How long a command waits for processing without `--timeout`, in milliseconds; half an hour if it is undefined. */
  readonly processingTimeout?: number
  /** Aborted with an `Interrupted` on Ctrl-C, when the terminal is closed, and on SIGTERM. */
  readonly signal: AbortSignal
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic,
  sleep: async (milliseconds, signal) => {
    const { setTimeout: sleep } = await import('node:timers/promises')
    const end = monotonic() + milliseconds
    try {
      // Node counts whole milliseconds of its own, by which a timer may ring a fraction of one too early.
      for (let left = milliseconds; ; left = end - monotonic()) {
        await sleep(left, undefined, signal ? { signal } : {})
        if (monotonic() >= end) return
      }
    } catch (error) {
      throw signal?.reason ?? error
    }
  },
  after(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds)
    return () => clearTimeout(timer)
  },
  every(milliseconds, ring) {
    const timer = setInterval(ring, milliseconds).unref()
    return () => clearInterval(timer)
  },
}

/** The world of this process. `stop` makes its signal, and is called when that is first used: Node loads it then. */
export function realWorld(stop: () => AbortSignal): World {
  const { env, platform } = process
  let signal: AbortSignal | undefined
  return {
    env,
    home: homedir(),
    platform,
    // A getter, because Node only opens the stream on first use, which takes time.
    get stdin() {
      return process.stdin
    },
    stdout: openOutput(1, platform),
    stderr: openOutput(2, platform),
    clock: systemClock,
    mayRead: anyFile,
    loadPager: async () => (await import('./pager.ts')).openPager,
    get signal() {
      signal ??= stop()
      return signal
    },
  }
}
