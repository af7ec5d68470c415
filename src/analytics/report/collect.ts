import type { Context } from '../../cli/context.ts'
import { createCountProgress } from '../../cli/output/count-progress.ts'
import type { Call } from '../../service/client/call.ts'
import { pagesOf } from '../../service/client/pages.ts'
import type { Resource } from '../../service/client/read.ts'
import { analytics } from '../../service/contract/analytics.ts'
import { type ReaderUser, readerUsers } from '../../service/contract/reader-users.ts'
import {
  countMonths,
  dayMilliseconds,
  dayOf,
  daysIn,
  monthAfter,
  monthOf,
  monthsIn,
  type Period,
} from '../../system/calendar.ts'
import type { Failure } from '../../system/errors.ts'
import { type Asked, type Asking, openAsking } from '../ask.ts'
import { aboutPeriod } from './check-period.ts'
import { collectTitles } from './collect-titles.ts'
import {
  type AnalyticsReport,
  type DailyViews,
  figuresOf,
  monthlyOf,
  relativeChange,
  type ScopeCounts,
  scopeCounters,
  type TitleFigures,
} from './figures.ts'
import { fewestReaders, groupProgress, type ReaderProgress } from './progress-groups.ts'

export interface WantedReport {
  readonly period: Period
  /** The most titles. */
  readonly top: number
  /** The publications whose days are shown; none for the title that is read most. */
  readonly calendars: readonly string[]
  readonly showsProgress: boolean
}

interface Collected {
  readonly report: AnalyticsReport
  /** What could not be read, of how much. */
  readonly failures: ReturnType<Asking['failures']>
  readonly count: number
}

/**
 * Reads the figures of a report. The totals of the scope and the ranking are needed; what else cannot be read is missing
 * from the report and said in it.
 */
export async function collectReport(context: Context, wanted: WantedReport): Promise<Collected> {
  const { call, world } = context
  const { period } = wanted
  const now = world.clock.now()
  const progressLine = await context.progress()
  const stopShowing = context.waiting.showIn(text => text !== undefined && progressLine.state(text))
  const count = createCountProgress(progressLine, context.err, world.clock)
  const asking = await openAsking(context, (done, all) => count.show('reading figures', done, all))
  try {
    const earlier = periodBefore(period)
    const [scope, ranking, scopeBefore] = await Promise.all([
      call(analytics.scope, { ...period, granularity: 'month' }).then(answer => aboutPeriod(period, answer)),
      call(analytics.popular, {}),
      earlier &&
        asking.ask(named(earlier), async () =>
          aboutPeriod(earlier, await call(analytics.scope, { ...earlier, granularity: 'total' })),
        ),
    ])
    const ranked = ranking.value.items
    const titles = await collectTitles(call, asking, ranked.slice(0, wanted.top), { period, earlier })
    const activity = await collectActivity(call, asking, { ...wanted, titles, now })
    const progress = wanted.showsProgress ? await collectProgress(call, asking, period) : null

    const totals = figuresOf(scopeCounters, scope?.totals)
    const before =
      scopeBefore && !scopeBefore.failure ? figuresOf(scopeCounters, scopeBefore.value?.totals) : null
    const change = Object.fromEntries(
      scopeCounters.map(name => [name, relativeChange(totals[name], before?.[name])]),
    ) as ScopeCounts
    const running = monthOf(now)
    const report: AnalyticsReport = {
      period,
      periodBefore: earlier,
      runningMonth: period.from <= running && running <= period.to ? running : null,
      madeAtIso: new Date(now).toISOString(),
      scopeId: context.scopeId(),
      ...{ totals, before, change },
      monthly: monthlyOf(scopeCounters, monthsIn(period), scope?.monthly),
      titles,
      titlesRanked: ranked.length,
      activity,
      progress: progress?.value ?? null,
      unread: [
        ...unreadOf('the period before', scopeBefore?.failure),
        ...unreadOf('the progress of readers', progress?.failure),
      ],
    }
    return { report, failures: asking.failures(), count: asking.count() + 2 }
  } finally {
    stopShowing()
    count.stop()
  }
}

const named = ({ from, to }: Period): string => `${from} to ${to}`

const unreadOf = (what: string, failure: Failure | null | undefined) =>
  failure ? [{ what, code: failure.code, message: failure.message }] : []

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
async function collectActivity(
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
        spans.flatMap(
          ({ value }) => value?.value.item?.daily?.map(({ day, views }) => [day, views] as const) ?? [],
        ),
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

/** How far readers have come in the books that they read in the months of the report. */
async function collectProgress(call: Call, asking: Asking, period: Period): Promise<Asked<ReaderProgress>> {
  const listed = await asking.ask('reader-users', () => listReaders(call))
  if (listed.value === null) return listed
  const read = await Promise.all(
    listed.value.map(id => asking.ask(id, async () => (await call(readerUsers.get, { id })).value.item)),
  )
  const progress = read.flatMap(({ value }) => progressIn(value, period) ?? [])
  return {
    value: {
      readers: progress.length < fewestReaders ? null : progress.length,
      groups: groupProgress(progress),
      unread: read.filter(({ failure }) => failure !== null).length,
    },
    failure: null,
  }
}

/** The ids of all reader users. */
async function listReaders(call: Call): Promise<string[]> {
  const ids = new Set<string>()
  const pages = pagesOf(call, readerUsers.list, {}, { limit: Number.POSITIVE_INFINITY })
  for await (const page of pages) {
    for (const { id } of page.value) if (id !== null) ids.add(id)
  }
  return [...ids]
}

/** The progress of the book that a reader read last of those read in the period; undefined if nothing is said of any. */
function progressIn(reader: Resource<typeof ReaderUser> | null, { from, to }: Period): number | undefined {
  const read = (reader?.readingHistory ?? []).flatMap(({ firstReadAtIso, lastReadAtIso, progression }) => {
    if (lastReadAtIso === null || progression === null || progression < 0 || progression > 1) return []
    const lastMonth = monthIn(lastReadAtIso)
    const firstMonth = firstReadAtIso === null ? lastMonth : monthIn(firstReadAtIso)
    return lastMonth >= from && firstMonth <= to ? [{ last: lastReadAtIso, progression }] : []
  })
  return read.sort((a, b) => (a.last < b.last ? 1 : -1))[0]?.progression
}

const monthIn = (timestamp: string): string => timestamp.slice(0, 7)

const earliest = '0000-01'

/** The same number of months, directly before. Null if they would begin before the year 0. */
function periodBefore(period: Period): Period | null {
  const count = countMonths(period)
  if (countMonths({ from: earliest, to: period.from }) <= count) return null
  return { from: monthAfter(period.from, -count), to: monthAfter(period.from, -1) }
}

/** The last day of a month, YYYY-MM-DD. */
const lastDayOf = (month: string): string => dayOf(Date.parse(`${monthAfter(month, 1)}-01`) - dayMilliseconds)

/** The days of a period that have begun by `now`, by UTC. Null if there are none. */
function daysSoFar({ from, to }: Period, now: number): Period | null {
  const last = [lastDayOf(to), dayOf(now)].sort()[0] as string
  const first = `${from}-01`
  return first > last ? null : { from: first, to: last }
}

/** Cuts days into spans of at most so many. */
function spansOf(days: readonly string[], most: number): Period[] {
  const spans: Period[] = []
  for (let start = 0; start < days.length; start += most) {
    const span = days.slice(start, start + most)
    spans.push({ from: span[0] as string, to: span.at(-1) as string })
  }
  return spans
}
