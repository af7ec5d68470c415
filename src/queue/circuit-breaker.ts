import { backoff } from '../system/backoff.ts'
import type { Clock } from '../system/world.ts'

/** The pauses while the service is away, in milliseconds. */
const pauses = { first: 1000, most: 60_000 }

/** Holds steps back while the service cannot be reached. After each pause, which grows, a single one tries. */
export interface CircuitBreaker {
  /** Waits until a step may begin. */
  wait(): Promise<void>
  /** What a step that was let through found. */
  ended(wasReached: boolean): void
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
          return
        }
        await clock.sleep(250, signal)
      }
    },
    ended(wasReached) {
      if (wasReached) {
        if (failures > 0) onChange(false)
        failures = 0
        isTried = false
      } else if (failures === 0 || isTried) {
        if (failures === 0) onChange(true)
        nextAt = clock.monotonic() + backoff(failures++, pauses)
        isTried = false
      }
    },
  }
}
