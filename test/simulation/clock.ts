import type { Clock } from '../../src/system/world.ts'
import type { SimulatedProcess } from './process.ts'

/** The time of a simulated world. It stands still until it is moved, so that waiting costs nothing. */
export interface Time {
  /** The one of the service, which is always right. */
  readonly clock: Clock
  /** The one of the machine, which can be set. */
  readonly settable: Clock
  /** Goes on to when something is due, and has that happen; false if nothing ever will. */
  advance(): boolean
  /** Sets the time of day forward, or back. */
  setBy(milliseconds: number): void
}

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** Noon of some day. */
const start = Date.UTC(2026, 2, 5, 12)

/** `began`: how many milliseconds have passed before. */
export function simulatedTime(began = 0): Time {
  const timers = new Set<Timer>()
  let [passed, set] = [began, 0]
  const after = (milliseconds: number, ring: () => void) => {
    const timer = { at: passed + Math.max(0, milliseconds), ring }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const clock: Clock = {
    now: () => Math.floor(start + passed),
    monotonic: () => passed,
    after,
    every(milliseconds, ring) {
      let stop = () => {}
      const again = () => {
        stop = after(Math.max(1, milliseconds), () => {
          again()
          ring()
        })
      }
      again()
      return () => stop()
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const refuse = () => {
          stop()
          reject(signal?.reason)
        }
        const stop = after(milliseconds, () => {
          signal?.removeEventListener('abort', refuse)
          resolve()
        })
        signal?.addEventListener('abort', refuse, { once: true })
      }),
  }
  return {
    clock,
    settable: { ...clock, now: () => clock.now() + set },
    advance() {
      let next: Timer | undefined
      // The first of those that are due at one time.
      for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer
      if (next === undefined) return false
      timers.delete(next)
      passed = next.at
      next.ring()
      return true
    },
    setBy(milliseconds) {
      set += milliseconds
    },
  }
}

/** The same clock for a process, which hears nothing more of it once it is dead. */
export const clockOf = (
  clock: Clock,
  { life, within }: Pick<SimulatedProcess, 'life' | 'within'>,
): Clock => ({
  ...clock,
  sleep: (milliseconds, signal) =>
    clock.sleep(
      milliseconds,
      signal === undefined || signal === life ? life : AbortSignal.any([signal, life]),
    ),
  after: (milliseconds, ring) => clock.after(milliseconds, () => life.aborted || within(ring)),
  every: (milliseconds, ring) => {
    const stop = clock.every(milliseconds, () => (life.aborted ? stop() : within(ring)))
    return stop
  },
})
