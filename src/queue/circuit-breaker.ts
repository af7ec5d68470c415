import { backoff } from '../system/backoff.ts'
import type { Clock } from '../system/world.ts'

/** The pauses while the service is away, in milliseconds. */
const pauses = { first: 1000, most: 60_000 }

/** Holds steps back while the service cannot be reached. After each pause, which grows, a single one tries. */
export interface CircuitBreaker {
  /** Waits until a step may begin. True for the single one that tries whether the service is back. */
  wait(): Promise<boolean>
  /** What a step that was let through found; undefined if it did not come to ask the service. To be called for each. */
  ended(wasReached: boolean | undefined, isTrial: boolean): void
}

export function openCircuitBreaker(
  clock: Clock,
  signal: AbortSignal,
  onChange: (isAway: boolean) => void,
): CircuitBreaker {
  let failures = 0
  let nextAt = 0
  let isTried = false
  return {
    async wait() {
      while (failures > 0) {
        if (!isTried && clock.monotonic() >= nextAt) {
          isTried = true
          return true
        }
        await clock.sleep(250, signal)
      }
      return false
    },
    ended(wasReached, isTrial) {
      if (isTrial) isTried = false
      if (wasReached === undefined) return
      if (wasReached) {
        if (failures > 0) onChange(false)
        failures = 0
      } else if (failures === 0 || isTrial) {
        if (failures === 0) onChange(true)
        nextAt = clock.monotonic() + backoff(failures++, pauses)
      }
    },
  }
}
