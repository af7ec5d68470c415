import { drawsChart } from '../../analytics/chart-flags.ts'
import { draw } from '../../analytics/draw.ts'
import type { Title } from '../../analytics/draw-popular.ts'
import type { Trends } from '../../analytics/trend.ts'
import type { Context } from '../../cli/context.ts'
import { warnOfEnd } from '../../cli/listing.ts'
import { type EndedBy, pagesOf } from '../../service/client/pages.ts'
import { analytics } from '../../service/contract/analytics.ts'
import type { Period } from '../../system/calendar.ts'
import { type Failure, UsageFailure } from '../../system/errors.ts'
import { joinPages } from '../../system/join-pages.ts'
import { popularView, trendView } from './views.ts'

interface PopularOptions {
  readonly limit?: number | undefined
  readonly all?: true | undefined
  readonly trend?: true | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly chart?: boolean | undefined
}

/** Lists the most viewed publications, or draws them, with their trends if that is wanted. */
export async function showPopular(context: Context, options: PopularOptions): Promise<void> {
  const { limit, all, trend, from, to } = options
  if (!trend && (from !== undefined || to !== undefined)) {
    throw new UsageFailure('--from and --to are the months of a trend', {
      hint: 'Add --trend. The service does not say over which time it counts views.',
    })
  }
  const isDrawn = drawsChart(context, options.chart)
  const view = trend ? trendView : popularView
  await context.check(view)
  const trends = trend ? await import('../../analytics/trend.ts') : undefined
  const period = trends?.trendPeriod({ from, to }, context.world.clock.now())

  let endedBy: EndedBy | undefined
  let failure: Failure | undefined
  const most = all || limit === undefined ? Number.POSITIVE_INFINITY : limit
  const popular = pagesOf(
    context.call,
    analytics.popular,
    {},
    {
      limit: most,
      onMore(by, token) {
        endedBy = by
        context.cut(token)
      },
    },
  )
  const pages: AsyncIterable<Trends> =
    trends && period ? trends.withTrends(context, popular, period, each => (failure = each)) : popular
  if (isDrawn) await drawTitles(context, await joinPages(valuesOf(pages)), period)
  // The widths of a table's columns depend on all its rows.
  else if (context.format === 'table' && context.out.isTerminal)
    await context.list(view, [await joinPages(rawOf(pages))])
  else await context.list(view, rawOf(pages))
  if (endedBy) await warnOfEnd(context, endedBy, most)
  if (failure) throw failure
}

async function* valuesOf(pages: AsyncIterable<Trends>): AsyncGenerator<readonly Title[]> {
  for await (const { value } of pages) yield value
}

async function* rawOf(pages: AsyncIterable<Trends>): AsyncGenerator<readonly unknown[]> {
  for await (const { raw } of pages) yield raw
}

async function drawTitles(
  context: Context,
  titles: readonly Title[],
  period: Period | undefined,
): Promise<void> {
  if (titles.length === 0) return await context.out.write(`${popularView.empty}\n`)
  const { drawPopular } = await import('../../analytics/draw-popular.ts')
  await draw(context, drawing => drawPopular(titles, { ...drawing, period }))
}
