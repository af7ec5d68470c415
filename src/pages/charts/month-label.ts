import { utcFormat, utcParse } from 'd3-time-format'

const parse = utcParse('%Y-%m')
const names = { month: utcFormat('%B %Y'), short: utcFormat('%b'), year: utcFormat('%Y') } as const

/** `2026-03` as "March 2026", "Mar" or "2026". A text that is no month stays. */
export function monthLabel(month: string, form: keyof typeof names = 'month'): string {
  const date = parse(month)
  return date === null ? month : names[form](date)
}

/** The first instant of a month, by UTC. */
export const monthStart = (month: string): Date => parse(month) ?? new Date(Number.NaN)

const parseDay = utcParse('%Y-%m-%d')
const dayForm = utcFormat('%-d %B %Y')

/** `2026-03-01` as "1 March 2026". */
export function dayLabel(day: string): string {
  const date = parseDay(day)
  return date === null ? day : dayForm(date)
}
