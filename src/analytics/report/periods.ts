import { countMonths, dayMilliseconds, dayOf, monthAfter, type Period } from '../../system/calendar.ts'

const earliest = '0000-01'

/** The same number of months, directly before. Null if they would begin before the year 0. */
export function periodBefore(period: Period): Period | null {
  const count = countMonths(period)
  if (countMonths({ from: earliest, to: period.from }) <= count) return null
  return { from: monthAfter(period.from, -count), to: monthAfter(period.from, -1) }
}

/** The last day of a month, YYYY-MM-DD. */
const lastDayOf = (month: string): string => dayOf(Date.parse(`${monthAfter(month, 1)}-01`) - dayMilliseconds)

/** The days of a period that have begun by `now`, by UTC. Null if there are none. */
export function daysSoFar({ from, to }: Period, now: number): Period | null {
  const last = [lastDayOf(to), dayOf(now)].sort()[0] as string
  const first = `${from}-01`
  return first > last ? null : { from: first, to: last }
}

/** Cuts days into spans of at most so many. */
export function spansOf(days: readonly string[], most: number): Period[] {
  const spans: Period[] = []
  for (let start = 0; start < days.length; start += most) {
    const span = days.slice(start, start + most)
    spans.push({ from: span[0] as string, to: span.at(-1) as string })
  }
  return spans
}
