import type { BacklistBook } from '../store/backlist.ts'

/** The first day that has readings. */
const firstDay = Date.UTC(2025, 0, 1)
export const dayMilliseconds = 86_400_000

/** How many readers there are; each view is by one of them. */
const readers = 5000

export interface Reading {
  /** Which of the readers. */
  reader: number
  milliseconds: number
  /** The part that was read. */
  completion: number
}

/** How often a book was opened on a day (its first millisecond): more at weekends, and never for two days the same. */
export function viewsOn({ publicationId, dailyViews }: BacklistBook, day: number, now: number): number {
  if (day < firstDay || day > now) return 0
  const weekday = new Date(day).getUTCDay()
  const usual = dailyViews * (weekday === 0 || weekday === 6 ? 1.4 : 0.85)
  return Math.round(usual * (0.6 + 0.8 * chance(publicationId, day, 0)))
}

/** The readings behind those views, always the same for the same book and day. */
export function* readingsOn(book: BacklistBook, day: number, now: number): Generator<Reading> {
  const views = viewsOn(book, day, now)
  for (let view = 1; view <= views; view++) {
    const seed = chance(book.publicationId, day, view)
    const reader = Math.floor(seed * readers)
    // A second random number: the digits of the first that did not choose the reader.
    const completion = Math.round(Math.min(1, 1.15 * ((seed * readers) % 1)) * 1000) / 1000
    yield { reader, completion, milliseconds: Math.round(60_000 + 2_400_000 * completion) }
  }
}

/** A pseudo-random number from 0 to below 1: FNV-1a of the arguments, finished as in MurmurHash3. */
function chance(publicationId: string, day: number, view: number): number {
  let hash = 0x811c9dc5
  const mix = (value: number): void => {
    hash = Math.imul(hash ^ value, 0x01000193)
  }
  for (let at = 0; at < publicationId.length; at++) mix(publicationId.charCodeAt(at))
  mix(day / dayMilliseconds)
  mix(view)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return (hash >>> 0) / 2 ** 32
}
