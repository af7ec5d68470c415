import type { Clock } from '../world.ts'

/** How many times a request is made in all before its failure stands. */
export const attempts = 4

/** Milliseconds to wait before attempt `next` (2, 3, …): doubling from half a second, jittered, or what Retry-After says. */
export function backoff(next: number, retryAfter: unknown, clock: Clock): number {
  const asked = parseRetryAfter(retryAfter, clock)
  if (asked !== undefined) return Math.min(asked, 60_000)
  return Math.min(500 * 2 ** (next - 2), 8000) * (0.5 + Math.random() / 2)
}

/** `Retry-After` as milliseconds from now, whether it is written as seconds or as a date. */
function parseRetryAfter(value: unknown, clock: Clock): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - clock.now())
}
