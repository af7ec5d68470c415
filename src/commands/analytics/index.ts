import { type Command, Option } from '@commander-js/extra-typings'
import { withChartFlags } from '../../analytics/chart-flags.ts'
import { showRecord } from '../../analytics/record.ts'
import { registerReport } from '../../analytics/report/index.ts'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { listing } from '../../cli/listing.ts'
import { parseDay, parseMonth } from '../../cli/option-types.ts'
import { analytics, granularities } from '../../service/contract/analytics.ts'
import { showPopular } from './popular.ts'
import { activityView, publicationView, scopeView } from './views.ts'

const spanned = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  withChartFlags(
    command
      .option('--from <month>', 'the first month, YYYY-MM', parseMonth)
      .option('--to <month>', 'the last month, YYYY-MM', parseMonth)
      .addOption(new Option('--granularity <unit>', 'totals alone, or by month').choices(granularities)),
  )

export function register(group: Command, run: Run): void {
  about(spanned(group.command('scope').description(analytics.scope.summary)), {
    does: 'reads',
    withheld: ['--chart', '--no-chart'],
    examples: ['analytics scope --from 2026-01 --to 2026-06', 'analytics scope --granularity total --json'],
  }).action(
    run(async (context, { chart, ...span }) => {
      const read = () => context.call(analytics.scope, span)
      await showRecord(context, scopeView, chart, read, async () => {
        const { drawMonths, scopeMeasures } = await import('../../analytics/draw-months.ts')
        return (item, drawing) => drawMonths(item, scopeMeasures, drawing)
      })
    }),
  )

  const popular = listing(group.command('popular').description(analytics.popular.summary))
    .option('--trend', 'how each is read month by month; makes a request for each')
    .option('--from <month>', 'the first month of the trend, YYYY-MM', parseMonth)
    .option('--to <month>', 'its last month, YYYY-MM (default: the current month)', parseMonth)
  about(withChartFlags(popular), {
    does: 'reads',
    withheld: ['--chart', '--no-chart'],
    examples: ['analytics popular --limit 10', 'analytics popular --trend --from 2026-01'],
    ends: ['partFailed'],
  }).action(run(showPopular))

  about(spanned(group.command('publication <id>').description(analytics.publication.summary)), {
    does: 'reads',
    withheld: ['--chart', '--no-chart'],
    examples: ['analytics publication pub_123 --from 2026-01'],
  }).action(
    run(async (context, id, { chart, ...span }) => {
      const read = () => context.call(analytics.publication, { id, ...span })
      await showRecord(context, publicationView, chart, read, async () => {
        const { drawMonths, readMeasures } = await import('../../analytics/draw-months.ts')
        return (item, drawing) => drawMonths(item, readMeasures, drawing)
      })
    }),
  )

  const activity = group
    .command('activity <id>')
    .description(analytics.activity.summary)
    .requiredOption('--from <day>', 'the first day, YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'the last day, YYYY-MM-DD', parseDay)
  about(withChartFlags(activity), {
    does: 'reads',
    withheld: ['--chart', '--no-chart'],
    examples: ['analytics activity pub_123 --from 2026-06-01 --to 2026-06-30'],
  }).action(
    run(async (context, id, { from, to, chart }) => {
      const read = () => context.call(analytics.activity, { id, from, to })
      await showRecord(context, activityView, chart, read, async () => {
        const { drawActivity } = await import('../../analytics/draw-activity.ts')
        return drawActivity
      })
    }),
  )

  registerReport(group, run)
}
