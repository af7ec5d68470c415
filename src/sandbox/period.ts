import { countMonths, dayMilliseconds, monthAfter, monthOf, type Period } from '../system/calendar.ts'
import { invalid } from './service-error.ts'

const usualMonths = 12
const mostMonths = 120

/**
 * The months from `from` to `to`, both included and written YYYY-MM: by default the twelve that end with `to`, which
 * is by default the current one. Throws 400 ZOD_ERROR when they are in the wrong order or more than ten years.
 */
export function periodOf(from: string | undefined, to: string | undefined, now: number): Period {
  const last = to ?? monthOf(now)
  const first = from ?? monthAfter(last, 1 - usualMonths)
  const refuse = (message: string, code: string) => invalid([{ message, path: [to ? 'to' : 'from'], code }])
  if (first > last) throw refuse('Invalid period: from is after to', 'custom')
  if (countMonths({ from: first, to: last }) > mostMonths) {
    throw refuse(`Invalid period: expected at most ${mostMonths} months`, 'too_big')
  }
  return { from: first, to: last }
}

/** The days of a month, each by its first millisecond. */
export function daysOfMonth(month: string): number[] {
  const first = Date.parse(`${month}-01`)
  const end = Date.parse(`${monthAfter(month, 1)}-01`)
  return Array.from({ length: (end - first) / dayMilliseconds }, (_, at) => first + at * dayMilliseconds)
}

/** The days from one to another, written YYYY-MM-DD; undefined when there are more than `most`. */
export function daysOf({ from, to }: Period, most: number): number[] | undefined {
  const first = Date.parse(from)
  const length = (Date.parse(to) - first) / dayMilliseconds + 1
  if (length > most) return undefined
  return Array.from({ length }, (_, at) => first + at * dayMilliseconds)
}
