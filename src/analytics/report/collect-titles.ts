import type { Call } from '../../service/client/call.ts'
import type { Resource } from '../../service/client/read.ts'
import { analytics, type PopularPublication } from '../../service/contract/analytics.ts'
import { monthsIn, type Period } from '../../system/calendar.ts'
import type { Asking } from '../ask.ts'
import { aboutPeriod } from './check-period.ts'
import { figuresOf, monthlyOf, readFigures, relativeChange, type TitleFigures } from './figures.ts'

/** A title as the service ranks it. */
type Ranked = Resource<typeof PopularPublication>

interface Periods {
  readonly period: Period
  readonly earlier: Period | null
}

/** The figures of some titles, those that are read most first. A title whose figures could not be read comes last. */
export async function collectTitles(
  call: Call,
  asking: Asking,
  ranked: readonly Ranked[],
  periods: Periods,
): Promise<TitleFigures[]> {
  const all = await Promise.all(ranked.map(each => collectTitle(call, asking, each, periods)))
  const reads = ({ totals }: { totals: TitleFigures['totals'] }) => totals?.totalReads ?? -1
  return all.sort((a, b) => reads(b) - reads(a)).map((title, at) => ({ rank: at + 1, ...title }))
}

async function collectTitle(
  call: Call,
  asking: Asking,
  { publicationId, title, views }: Ranked,
  { period, earlier }: Periods,
): Promise<Omit<TitleFigures, 'rank'>> {
  const id = publicationId ?? ''
  const [read, readBefore] = await Promise.all([
    asking.ask(id, async () =>
      aboutPeriod(period, await call(analytics.publication, { id, ...period, granularity: 'month' })),
    ),
    earlier &&
      asking.ask(id, async () =>
        aboutPeriod(earlier, await call(analytics.publication, { id, ...earlier, granularity: 'total' })),
      ),
  ])
  const totals = read.failure ? null : figuresOf(readFigures, read.value?.totals)
  const before = readBefore && !readBefore.failure ? figuresOf(readFigures, readBefore.value?.totals) : null
  const failure = read.failure ?? readBefore?.failure ?? null
  return {
    publicationId: id,
    title: title ?? id,
    views,
    totals,
    before,
    change: relativeChange(totals?.totalReads, before?.totalReads),
    monthly: monthlyOf(readFigures, monthsIn(period), read.value?.monthly),
    error: failure && { code: failure.code, message: failure.message },
  }
}
