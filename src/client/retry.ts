import { ServiceFailure } from '../errors.ts'
import type { Clock, World } from '../world.ts'

/** How many times a request is made in all before its failure stands. */
const attempts = 4

/** The longest that is waited on another side's wish, in milliseconds; whoever wishes for more is not asked again. */
const patience = 120_000

/**
 * Milliseconds to wait before attempt `next` (2, 3, …): doubling from half a second, jittered, or what Retry-After says.
 * Undefined when there is to be no further attempt.
 */
export function backoff(next: number, retryAfter: unknown, clock: Clock): number | undefined {
  if (next > attempts) return undefined
  const asked = parseRetryAfter(retryAfter, clock)
  if (asked === undefined) return Math.min(500 * 2 ** (next - 2), 8000) * (0.5 + Math.random() / 2)
  return asked > patience ? undefined : asked
}

/** Does its work again, after a while each time, as long as `mayPass` says so of what it throws. */
export async function persist<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  { clock, signal }: Pick<World, 'clock' | 'signal'>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const asked = error instanceof ServiceFailure ? error.retryAfter : undefined
      const wait = mayPass(error) ? backoff(attempt + 1, asked, clock) : undefined
      if (wait === undefined) throw error
      await clock.sleep(wait, signal)
    }
  }
}

/** `Retry-After` as milliseconds from now, whether it is written as seconds or as a date. */
function parseRetryAfter(value: unknown, clock: Clock): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - clock.now())
}
