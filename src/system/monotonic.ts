/**
 * Milliseconds that never go back, even when the clock is set. Not those of `performance`, which Node loads when it is first
 * asked: a request would take 1 ms longer.
 */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
