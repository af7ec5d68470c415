const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** `2026-03` as "March 2026", "Mar" or "2026". A text that is no month stays. */
export function monthLabel(month: string, form: 'month' | 'short' | 'year' = 'month'): string {
  const [, year, number] = /^(\d{4})-(\d\d)$/.exec(month) ?? []
  const name = months[Number(number) - 1]
  if (year === undefined || name === undefined) return month
  return { month: `${name} ${year}`, short: name.slice(0, 3), year }[form]
}

/** The first instant of a month, by UTC. */
export const monthStart = (month: string): Date => new Date(`${month}-01T00:00:00Z`)

/** `2026-03-01` as "1 March 2026". */
export function dayLabel(day: string): string {
  const [, month = '', number] = /^(\d{4}-\d\d)-(\d\d)$/.exec(day) ?? []
  const label = monthLabel(month)
  return label === month ? day : `${Number(number)} ${label}`
}
