import type { Context } from '../../cli/context.ts'
import { createCountProgress } from '../../cli/output/count-progress.ts'
import { recordsIn } from '../../service/client/pages.ts'
import { analytics } from '../../service/contract/analytics.ts'
import { monthOf, monthsIn, type Period } from '../../system/calendar.ts'
import type { Failure } from '../../system/errors.ts'
import { type Asking, openAsking } from '../ask.ts'
import { aboutPeriod } from './check-period.ts'
import { collectActivity } from './collect-activity.ts'
import { collectProgress } from './collect-progress.ts'
import { collectTitles } from './collect-titles.ts'
import {
  figuresOf,
  monthlyOf,
  type Report,
  relativeChange,
  type ScopeCounts,
  scopeCounters,
} from './figures.ts'
import { periodBefore } from './periods.ts'

export interface WantedReport {
  readonly period: Period
  /** The most titles. */
  readonly top: number
  /** The publications whose days are shown; none for the title that is read most. */
  readonly calendars: readonly string[]
  readonly showsProgress: boolean
}

interface Collected {
  readonly report: Report
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
    const ranked = recordsIn(ranking)
    const titles = await collectTitles(call, asking, ranked.slice(0, wanted.top), { period, earlier })
    const activity = await collectActivity(call, asking, { ...wanted, titles, now })
    const progress = wanted.showsProgress ? await collectProgress(call, asking, period) : null

    const totals = figuresOf(scopeCounters, scope.item?.totals)
    const before = scopeBefore?.value ? figuresOf(scopeCounters, scopeBefore.value.item?.totals) : null
    const change = Object.fromEntries(
      scopeCounters.map(name => [name, relativeChange(totals[name], before?.[name])]),
    ) as ScopeCounts
    const running = monthOf(now)
    const report: Report = {
      period,
      periodBefore: earlier,
      runningMonth: period.from <= running && running <= period.to ? running : null,
      madeAtIso: new Date(now).toISOString(),
      scopeId: context.scopeId(),
      ...{ totals, before, change },
      monthly: monthlyOf(scopeCounters, monthsIn(period), scope.item?.monthly),
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
