import type { Period } from '../../system/calendar.ts'
import { NetworkFailure } from '../../system/errors.ts'

/**
 * An answer about a period, unchanged. It may be about fewer months, which are then gaps; an answer about other months is
 * refused, because its totals are not those of the report. Throws NetworkFailure `other_period`.
 */
export function aboutPeriod<T extends { readonly item?: unknown }>(asked: Period, answer: T): T {
  const { period } = (answer.item ?? {}) as { period?: { from?: unknown; to?: unknown } | null }
  const from = typeof period?.from === 'string' ? period.from : asked.from
  const to = typeof period?.to === 'string' ? period.to : asked.to
  if (from >= asked.from && to <= asked.to) return answer
  throw new NetworkFailure(
    `the service answered about ${from} to ${to} when it was asked about ${asked.from} to ${asked.to}`,
    { code: 'other_period', hint: 'Ask for other months with --from and --to, or report it to the service.' },
  )
}
