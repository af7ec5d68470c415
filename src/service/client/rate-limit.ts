import { backoff } from '../../system/backoff.ts'
import type { World } from '../../system/world.ts'

/**
 * The rate at which requests are sent, shared by all of a client. There is none until the service answers 429 (Too Many
 * Requests). Then all of them pause together, and go on at a lower rate that rises with each answer until the next 429.
 */
export interface RateLimit {
  /** Resolves when the next request may be sent, in the order of the calls; undefined if it may be sent at once. */
  turn(): Promise<void> | undefined
  /**
   * A request that was sent at `sentAt` was one too many. `retryAfter` is the pause that the service asked for. All are in
   * milliseconds, the times of the monotonic clock. Gives the pause until a request may be sent; one that is not shorter
   * than `longest` is not made, because nobody would wait for it.
   */
  refused(sentAt: number, retryAfter: number | undefined, longest: number): number
  /** A request was not refused for the rate. */
  accepted(): void
}

/** The milliseconds between two requests after the first 429, and the most. */
const intervals = { first: 50, most: 2000 } as const

/** The pauses while every request is refused, in milliseconds. */
const pauses = { first: 500, most: 8000 } as const

/** What remains of the interval after each request that is accepted; below a millisecond there is no limit any more. */
const easing = 0.97

export function createRateLimit({ clock, signal }: Pick<World, 'clock' | 'signal'>): RateLimit {
  let interval = 0
  /** When the next request may be sent. */
  let next = Number.NEGATIVE_INFINITY
  /** When the rate was last lowered. What was sent before says nothing about the new rate. */
  let loweredAt = Number.NEGATIVE_INFINITY
  let refusedInARow = 0
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function untilNext(): Promise<void> {
    try {
      for (let left = next - clock.monotonic(); left > 0; left = next - clock.monotonic())
        await clock.sleep(left, signal)
      next = clock.monotonic() + interval
    } finally {
      waiting--
    }
  }

  return {
    turn() {
      if (interval === 0 && waiting === 0 && clock.monotonic() >= next) return undefined
      waiting++
      const mine = last.then(untilNext)
      last = mine.catch(() => undefined)
      return mine
    },
    refused(sentAt, retryAfter, longest) {
      const now = clock.monotonic()
      if (sentAt >= loweredAt) {
        if (refusedInARow === 0) interval = Math.min(Math.max(intervals.first, interval * 2), intervals.most)
        const doubling = backoff(refusedInARow, pauses) * (0.5 + Math.random() / 2)
        // A service that refuses again after the pause that it asked for needs a longer one.
        const pause =
          retryAfter !== undefined && refusedInARow === 0 ? retryAfter : Math.max(retryAfter ?? 0, doubling)
        refusedInARow++
        loweredAt = now
        if (pause >= longest) return pause
        next = Math.max(next, now + pause)
      } else if (retryAfter !== undefined && retryAfter < longest) next = Math.max(next, now + retryAfter)
      return Math.max(retryAfter ?? 0, next - now)
    },
    accepted() {
      refusedInARow = 0
      interval *= easing
      if (interval < 1) interval = 0
    },
  }
}
