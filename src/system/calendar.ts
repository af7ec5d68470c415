/** Months from the first to the last, both included and written YYYY-MM. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const dayMilliseconds = 86_400_000

/** Months counted from the year 0. */
const indexOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

const monthAt = (index: number): string =>
  `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`

/** The month so many months later, or earlier if negative; the earliest is that of the year 0. */
export const monthAfter = (month: string, count: number): string =>
  monthAt(Math.max(0, indexOf(month) + count))

/** The month that an instant is in, by UTC. */
export const monthOf = (instant: number): string => new Date(instant).toISOString().slice(0, 7)

export const countMonths = ({ from, to }: Period): number => indexOf(to) - indexOf(from) + 1

export const monthsIn = (period: Period): string[] =>
  Array.from({ length: countMonths(period) }, (_, at) => monthAt(indexOf(period.from) + at))

/** The day that an instant is in, by UTC. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** Days from the first to the last, both included. */
export function daysIn({ from, to }: Period): string[] {
  const first = Date.parse(from)
  const count = (Date.parse(to) - first) / dayMilliseconds + 1
  return Array.from({ length: count }, (_, at) => dayOf(first + at * dayMilliseconds))
}
