import type { Format } from './formats/format.ts'

/** The most that is tried to make an input smaller, and the milliseconds that it may take. */
const most = { tries: 600, time: 5 * 60_000 }

/** The smallest input that still shows something, by leaving out what is not needed for it. */
export async function shrink(
  input: Buffer,
  format: Format,
  shows: (input: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let smallest = input
  let tries = 0
  const end = performance.now() + most.time
  const isOver = () => tries > most.tries || performance.now() > end
  /** The next smaller version, from the `start`-th on, that still shows it, and which one it is. */
  const next = async (start: number): Promise<{ input: Buffer; index: number } | undefined> => {
    let index = -1
    for (const candidate of format.smaller(smallest)) {
      index++
      if (index < start || candidate.length >= smallest.length) continue
      tries++
      if (isOver()) return undefined
      if (await shows(candidate)) return { input: candidate, index }
    }
    return undefined
  }
  for (let start = 0; !isOver(); ) {
    const found = await next(start)
    if (found) smallest = found.input
    else if (start === 0) break
    // What comes after it has not been tried yet; then all is tried again.
    start = found?.index ?? 0
  }
  return smallest
}
