import type { Format } from './formats/format.ts'

/** The most that is tried to make an input smaller. */
const mostTries = 600

/** The smallest input that still shows something, by leaving out what is not needed for it. */
export async function shrink(
  input: Buffer,
  format: Format,
  shows: (input: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let smallest = input
  for (let tries = 0, isSmaller = true; isSmaller && tries < mostTries; ) {
    isSmaller = false
    for (const candidate of format.smaller(smallest)) {
      if (candidate.length >= smallest.length) continue
      if (++tries > mostTries) break
      if (!(await shows(candidate))) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}
