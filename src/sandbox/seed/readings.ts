import { dayMilliseconds } from '../../system/calendar.ts'
import type { BacklistBook, Course } from '../store/backlist.ts'

/** The first day that has readings. */
const firstDay = Date.UTC(2025, 0, 1)

/** How many readers there are; each view is by one of them. */
const readers = 5000

export interface ReadingSession {
  reader: number
  milliseconds: number
  /** The part that was read. */
  completion: number
}

/** How often a book was opened on a day (its first millisecond): more at weekends, and never for two days the same. */
export function viewsOn(
  { publicationId, dailyViews, course }: BacklistBook,
  day: number,
  now: number,
): number {
  if (day < firstDay || day > now) return 0
  const weekday = new Date(day).getUTCDay()
  const usual = dailyViews * courses[course](day) * (weekday === 0 || weekday === 6 ? 1.4 : 0.85)
  return Math.round(usual * (0.6 + 0.8 * chance(publicationId, day, 0)))
}

const yearsSince = (day: number): number => (day - firstDay) / (365 * dayMilliseconds)
/** How close a day is to a day of the year: 1 on that day, and half of it so many days before or after. */
const closeness = (day: number, dayOfYear: number, days: number): number => {
  const away = Math.abs((((day / dayMilliseconds - dayOfYear) % 365.25) + 365.25) % 365.25)
  return 0.5 ** ((Math.min(away, 365.25 - away) / days) ** 2)
}

/** How many times as often as usual a book is opened on a day. */
const courses: Readonly<Record<Course, (day: number) => number>> = {
  steady: () => 1,
  growing: day => Math.min(2, 0.4 + 0.6 * yearsSince(day)),
  fading: day => 0.3 + 0.7 ** (2 * yearsSince(day)),
  holidays: day => 0.6 + 1.1 * closeness(day, 355, 18) + 0.9 * closeness(day, 210, 25),
  terms: day => 1.2 - 0.9 * closeness(day, 220, 35) - 0.7 * closeness(day, 360, 12),
  peaks: day => 0.5 + 2.5 * closeness(day, 130, 12),
}

/** The readings behind those views, always the same for the same book and day. */
export function* readingsOn(book: BacklistBook, day: number, now: number): Generator<ReadingSession> {
  const views = viewsOn(book, day, now)
  // Some books are read to their end more often than others.
  const difficulty = 0.5 + 1.5 * chance(book.publicationId, 0, 0)
  for (let view = 1; view <= views; view++) {
    const seed = chance(book.publicationId, day, view)
    const reader = Math.floor(seed * readers)
    // A second random number: the digits of the first that did not choose the reader.
    const completion = Math.round(Math.min(1, 1.15 * ((seed * readers) % 1) ** difficulty) * 1000) / 1000
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
