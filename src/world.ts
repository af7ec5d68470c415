import { homedir } from 'node:os'
import type { Readable } from 'node:stream'
import { type Output, openOutput } from './system/standard-output.ts'

export interface Clock {
  /** Milliseconds since 1970: for what is told, kept or compared with other machines. */
  now(): number
  /** Milliseconds that only go on, whatever anybody sets the clock to: for deadlines, pauses and rates. */
  monotonic(): number
  /** Resolves after so many milliseconds; rejects with the signal's reason once it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Everything of the process that pubctl touches, handed in so that a test can hand in its own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  /** Aborted, with an `Interrupted` as its reason, when the person presses Ctrl-C, the terminal is closed or the system says stop. */
  readonly signal: AbortSignal
}

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    const { setTimeout: sleep } = await import('node:timers/promises')
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {})
    } catch (error) {
      throw signal?.reason ?? error
    }
  },
}

/** The world as it is: this process and this machine. */
export function realWorld(signal: AbortSignal): World {
  const { env, platform } = process
  return {
    env,
    home: homedir(),
    platform,
    // Node opens the stream when it is first asked for, which takes it a while.
    get stdin() {
      return process.stdin
    },
    stdout: openOutput(1, platform),
    stderr: openOutput(2, platform),
    clock: systemClock,
    signal,
  }
}
