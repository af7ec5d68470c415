import type { Call } from '../../service/client/call.ts'
import { analytics } from '../../service/contract/analytics.ts'
import { daysIn, type Period } from '../../system/calendar.ts'
import type { Asked, Asking } from '../ask.ts'
import { type DailyViews, type TitleFigures, usableFigure } from './figures.ts'
import { daysSoFar, spansOf } from './periods.ts'

/** The most days that are asked for at once: the service does not say how many it gives. */
const mostDays = 366

interface Activity {
  readonly period: Period
  readonly calendars: readonly string[]
  readonly titles: readonly TitleFigures[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The daily views of the publications that are named, or else of the title that is read most, as far as days have begun. */
export async function collectActivity(
  call: Call,
  asking: Asking,
  { period, calendars, titles, now }: Activity,
): Promise<DailyViews[]> {
  const days = daysSoFar(period, now)
  const ids =
    calendars.length > 0 ? [...new Set(calendars)] : titles.slice(0, 1).map(each => each.publicationId)
  if (days === null) return []
  return await Promise.all(
    ids.map(async id => {
      const all = daysIn(days)
      const spans = await Promise.all(
        spansOf(all, mostDays).map(span => asking.ask(id, () => call(analytics.activity, { id, ...span }))),
      )
      const views = new Map(
        spans.flatMap(({ value }) => {
          const daily: unknown = value?.item?.daily
          return Array.isArray(daily) ? daily.map(row => [row?.day, usableFigure(row?.views)] as const) : []
        }),
      )
      const failure = spans.find(
        (span): span is Asked<never> & { value: null } => span.value === null,
      )?.failure
      return {
        publicationId: id,
        title: titles.find(title => title.publicationId === id)?.title ?? id,
        period: days,
        daily: all.map(day => ({ day, views: views.get(day) ?? null })),
        error: failure ? { code: failure.code, message: failure.message } : null,
      }
    }),
  )
}
