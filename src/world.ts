import { homedir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after so many milliseconds; rejects with the signal's reason once it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Everything of the process that pubctl touches, handed in so that a test can hand in its own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Writable & { isTTY?: boolean; columns?: number }
  readonly stderr: Writable & { isTTY?: boolean; columns?: number }
  readonly clock: Clock
  /** Aborted, with an `Interrupted` as its reason, when the person presses Ctrl-C or the system says stop. */
  readonly signal: AbortSignal
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: async (milliseconds, signal) => {
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {})
    } catch (error) {
      throw signal?.reason ?? error
    }
  },
}

/** The world as it is: this process and this machine. */
export const realWorld = (signal: AbortSignal): World => ({
  env: process.env,
  home: homedir(),
  platform: process.platform,
  // Node opens a stream when it is first asked for, which takes it a while.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  clock: systemClock,
  signal,
})
