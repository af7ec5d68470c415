import { systemClock } from '../../../src/system/world.ts'

/** A clock on which sleeping takes no time, and that remembers how long it was slept. */
export function sleeplessClock() {
  const slept: number[] = []
  let [ahead, set] = [0, 0]
  return {
    ...systemClock,
    slept,
    advance(milliseconds: number) {
      ahead += milliseconds
    },
    /** Sets the time of day forward, or back, as a person or a time server may do at any moment. */
    setBy(milliseconds: number) {
      set += milliseconds
    },
    now: () => Date.now() + ahead + set,
    monotonic: () => performance.now() + ahead,
    async sleep(milliseconds: number) {
      slept.push(Math.round(milliseconds))
      ahead += milliseconds
    },
  }
}
