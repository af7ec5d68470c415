import { dayMilliseconds } from './seed/readings.ts'
import { invalid } from './service-error.ts'

export interface Period {
  from: string
  to: string
}

const usualMonths = 12
const mostMonths = 120

/**
 * The months from `from` to `to`, both included and written YYYY-MM: by default the twelve that end with `to`, which
 * is by default the current one. Throws 400 ZOD_ERROR when they are in the wrong order or more than ten years.
 */
export function periodOf(from: string | undefined, to: string | undefined, now: number): Period {
  const last = to ?? new Date(now).toISOString().slice(0, 7)
  const first = from ?? monthAt(Math.max(0, indexOf(last) - usualMonths + 1))
  const refuse = (message: string, code: string) => invalid([{ message, path: [to ? 'to' : 'from'], code }])
  if (first > last) throw refuse('Invalid period: from is after to', 'custom')
  if (indexOf(last) - indexOf(first) >= mostMonths) {
    throw refuse(`Invalid period: expected at most ${mostMonths} months`, 'too_big')
  }
  return { from: first, to: last }
}

export function monthsOf({ from, to }: Period): string[] {
  const first = indexOf(from)
  return Array.from({ length: indexOf(to) - first + 1 }, (_, at) => monthAt(first + at))
}

/** The days of a month, each by its first millisecond. */
export function daysOfMonth(month: string): number[] {
  const first = Date.parse(`${month}-01`)
  const end = Date.parse(`${monthAt(indexOf(month) + 1)}-01`)
  return Array.from({ length: (end - first) / dayMilliseconds }, (_, at) => first + at * dayMilliseconds)
}

/** The days from one to another, written YYYY-MM-DD; undefined when there are more than `most`. */
export function daysOf({ from, to }: Period, most: number): number[] | undefined {
  const first = Date.parse(from)
  const length = (Date.parse(to) - first) / dayMilliseconds + 1
  if (length > most) return undefined
  return Array.from({ length }, (_, at) => first + at * dayMilliseconds)
}

/** Months counted from the year 0. */
const indexOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

const monthAt = (index: number): string =>
  `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
