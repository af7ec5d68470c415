import type { Period } from '../../system/calendar.ts'
import { NetworkFailure } from '../../system/errors.ts'

/**
 * The item of an answer about a period. It may be about fewer months, which are then gaps; an answer about other months is
 * refused, because its totals are not those of the report. Throws NetworkFailure `other_period`.
 */
export function aboutPeriod<T extends { readonly period: { from: string | null; to: string | null } | null }>(
  asked: Period,
  { value: { item } }: { readonly value: { readonly item: T | null } },
): T | null {
  const from = item?.period?.from ?? asked.from
  const to = item?.period?.to ?? asked.to
  if (from >= asked.from && to <= asked.to) return item
  throw new NetworkFailure(
    `the service answered about ${from} to ${to} when it was asked about ${asked.from} to ${asked.to}`,
    { code: 'other_period', hint: 'Ask for other months with --from and --to, or report it to the service.' },
  )
}
