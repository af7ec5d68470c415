import type { Clock } from '../system/world.ts'

/** The shortest and the longest pause while the service is away, in milliseconds. */
const [shortest, longest] = [1000, 60_000]

/** Holds steps back while the service cannot be reached. After each pause, which grows, a single one tries. */
export interface Outage {
  /** Waits until a step may begin. */
  wait(): Promise<void>
  /** What a step that was let through found. */
  ended(wasReached: boolean): void
}

export function openOutage(clock: Clock, signal: AbortSignal, onChange: (isAway: boolean) => void): Outage {
  let pause = 0
  let nextAt = 0
  let isTried = false
  return {
    async wait() {
      while (pause > 0) {
        if (!isTried && clock.monotonic() >= nextAt) {
          isTried = true
          return
        }
        await clock.sleep(250, signal)
      }
    },
    ended(wasReached) {
      if (wasReached) {
        if (pause > 0) onChange(false)
        pause = 0
        isTried = false
      } else if (pause === 0 || isTried) {
        if (pause === 0) onChange(true)
        pause = Math.min(Math.max(pause * 2, shortest), longest)
        nextAt = clock.monotonic() + pause
        isTried = false
      }
    },
  }
}
