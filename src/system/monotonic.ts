/**
 * Milliseconds that never go back, even when the clock is set. Not those of `performance`, which Node loads when it is first
 * asked: a request would take 1 ms longer.
 */
export function monotonic(): number {
  const time = process.hrtime()
  return time[0] * 1000 + time[1] / 1e6
}
