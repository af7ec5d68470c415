import { backoff } from '../../system/backoff.ts'
import type { Clock, World } from '../../system/world.ts'

/** The most attempts for a request: of a command that a person waits for, and of an upload, which may run unattended. */
export const attemptsOf = { command: 4, upload: 8 } as const

/** The longest wait for the answer to one attempt, in milliseconds, unless `--timeout` says otherwise. */
export const attemptTimeout = 60_000

/** The longest time for one operation with its retries and pauses, in milliseconds, unless `--timeout` says otherwise. */
export const operationTimeout = 120_000

/** The least time that another attempt is worth, in milliseconds. With less, it would only say that no answer came in time. */
const leastTime = 500

/** Shows what pubctl is waiting for. `name` is what messages call the service or the store. */
export interface Waiting {
  begin(name: string): Wait
}

interface Wait {
  /** The operation failed, and is repeated after `pause` milliseconds. */
  retrying(why: string, pause: number): void
  /** Bytes moved, so this does not count as waiting. */
  moved(): void
  end(): void
}

export interface BudgetOptions extends Pick<World, 'clock' | 'signal'> {
  /** What messages call the service or the store. */
  readonly name: string
  readonly attempts: number
  /** Milliseconds for all attempts and pauses while no bytes move. */
  readonly timeout: number
  readonly waiting: Waiting | undefined
}

/**
 * Limits the retries of one operation, such as a request or sending a file. Each operation has exactly one, and no loop
 * around it retries as well, because nested limits would multiply.
 */
export interface RetryBudget {
  /** The milliseconds that are left; the time restarts whenever bytes move. */
  left(): number
  /** A pause before another attempt has to be shorter, in milliseconds. If it is not above 0, there is no time for an attempt. */
  longestPause(): number
  moved(): void
  /**
   * Pauses before the next attempt: for `Retry-After`, or for a time that starts at half a second, doubles, and is
   * jittered. Returns false at once if no attempt is left, or no time for one. With `isCounted: false`, the failed attempt
   * does not count.
   */
  tryAgain(why: string, facts?: { retryAfter?: unknown; isCounted?: boolean }): Promise<boolean>
  /** Whether there is time for a pause of so many milliseconds, which somebody else makes, and an attempt. It counts none. */
  hasTimeFor(pause: number, why: string): boolean
  end(): void
}

export function openBudget({ clock, signal, name, attempts, timeout, waiting }: BudgetOptions): RetryBudget {
  const wait = waiting?.begin(name)
  let since = clock.monotonic()
  let failed = 0
  const left = () => Math.max(0, timeout - (clock.monotonic() - since))
  const longestPause = () => left() - Math.min(leastTime, timeout / 4)
  return {
    left,
    longestPause,
    moved() {
      since = clock.monotonic()
      wait?.moved()
    },
    async tryAgain(why, { retryAfter, isCounted = true } = {}) {
      if (isCounted && ++failed >= attempts) return false
      const doubling =
        backoff(Math.max(0, failed - 1), { first: 500, most: 8000 }) * (0.5 + Math.random() / 2)
      const pause = parseRetryAfter(retryAfter, clock) ?? doubling
      if (pause >= longestPause()) return false
      wait?.retrying(why, pause)
      await clock.sleep(pause, signal)
      return true
    },
    hasTimeFor(pause, why) {
      if (pause >= longestPause()) return false
      wait?.retrying(why, pause)
      return true
    },
    end: () => wait?.end(),
  }
}

/** `Retry-After` as milliseconds from now, whether it is written as seconds or as a date; undefined if it says nothing. */
export function parseRetryAfter(value: unknown, clock: Clock): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - clock.now())
}
