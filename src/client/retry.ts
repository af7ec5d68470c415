import type { Clock, World } from '../world.ts'

/** How often a request is made at most: one that a person waits for, and one of an upload, which may run unattended. */
export const attemptsOf = { command: 4, upload: 8 } as const

/** The longest that one attempt may take to be answered unless `--timeout` says otherwise, in milliseconds. */
export const attemptTimeout = 60_000

/** The longest that one operation is tried, retries and pauses included, unless `--timeout` says otherwise. */
export const operationTimeout = 120_000

/** Told what is being waited for, for whoever shows it. `name` is the other side in words. */
export interface Waiting {
  begin(name: string): Wait
}

interface Wait {
  /** The operation failed with `why` and is tried again after so many milliseconds. */
  retrying(why: string, pause: number): void
  /** Bytes moved, which is not waiting. */
  moved(): void
  end(): void
}

export interface BudgetOptions extends Pick<World, 'clock' | 'signal'> {
  /** The other side in words. */
  readonly name: string
  readonly attempts: number
  /** Milliseconds for all attempts and the pauses between them, as long as nothing moves. */
  readonly timeout: number
  readonly waiting: Waiting | undefined
}

/**
 * What one operation, such as a request or the sending of a file, may spend on being tried again. Each operation has
 * one, and no loop around it tries again besides: the bounds of nested loops would multiply.
 */
export interface RetryBudget {
  /** Milliseconds that are left to wait; counted anew from each byte that moves. */
  left(): number
  moved(): void
  /**
   * Pauses before the next attempt: for a time that doubles from half a second and is jittered, or for what Retry-After
   * says. False, at once, when there is to be none. An attempt that the lack of file handles stopped is not counted.
   */
  tryAgain(why: string, facts?: { retryAfter?: unknown; isCounted?: boolean }): Promise<boolean>
  end(): void
}

export function openBudget({ clock, signal, name, attempts, timeout, waiting }: BudgetOptions): RetryBudget {
  const wait = waiting?.begin(name)
  let since = clock.monotonic()
  let failed = 0
  const left = () => Math.max(0, timeout - (clock.monotonic() - since))
  return {
    left,
    moved() {
      since = clock.monotonic()
      wait?.moved()
    },
    async tryAgain(why, { retryAfter, isCounted = true } = {}) {
      if (isCounted && ++failed >= attempts) return false
      const doubling = Math.min(500 * 2 ** Math.max(0, failed - 1), 8000) * (0.5 + Math.random() / 2)
      const pause = parseRetryAfter(retryAfter, clock) ?? doubling
      if (pause >= left()) return false
      wait?.retrying(why, pause)
      await clock.sleep(pause, signal)
      return true
    },
    end: () => wait?.end(),
  }
}

/** `Retry-After` as milliseconds from now, whether it is written as seconds or as a date. */
function parseRetryAfter(value: unknown, clock: Clock): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - clock.now())
}
