import { UsageFailure } from '../errors.ts'

/** A month of the calendar, written YYYY-MM. */
export function parseMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new UsageFailure(`"${text}" is not a month`, { hint: 'Write it as YYYY-MM, such as 2026-03.' })
}

/** A day of the calendar, written YYYY-MM-DD. */
export function parseDay(text: string): string {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (instant && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)) return text
  throw new UsageFailure(`"${text}" is not a day`, { hint: 'Write it as YYYY-MM-DD, such as 2026-03-31.' })
}
