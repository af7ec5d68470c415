import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { list, listing } from '../cli/listing.ts'
import { parseDay, parseMonth } from '../cli/option-types.ts'
import type { Run } from '../context.ts'
import {
  analytics,
  DailyActivity,
  granularities,
  PopularPublication,
  PublicationAnalytics,
  ScopeAnalytics,
} from '../contract/analytics.ts'
import { fieldsOf } from '../contract/fields.ts'
import type { View } from '../output/view.ts'

const scopeView: View = {
  columns: [
    { field: 'period.from' },
    { field: 'period.to' },
    { field: 'totals.publicationsRead', kind: 'count' },
    { field: 'totals.totalViews', kind: 'count' },
    { field: 'totals.activeReaders', kind: 'count' },
  ],
  fields: () => fieldsOf(ScopeAnalytics),
  empty: '',
  series: {
    rows: 'monthly',
    label: 'month',
    value: 'totalViews',
    fields: ['month', 'publicationsRead', 'totalViews', 'activeReaders'],
  },
}

const popularView: View = {
  columns: [
    { field: 'publicationId', isWhole: true },
    { field: 'title', isMain: true },
    { field: 'views', kind: 'count' },
  ],
  fields: () => fieldsOf(PopularPublication),
  empty: 'Nothing has been viewed yet.',
}

const publicationView: View = {
  columns: [
    { field: 'publicationId', isWhole: true },
    { field: 'period.from' },
    { field: 'period.to' },
    { field: 'totals.totalReads', kind: 'count' },
    { field: 'totals.averageReadTimeMs', label: 'average read time', kind: 'duration' },
    { field: 'totals.averageCompletion', kind: 'part' },
    { field: 'totals.completionRate', kind: 'part' },
  ],
  fields: () => fieldsOf(PublicationAnalytics),
  empty: '',
  series: {
    rows: 'monthly',
    label: 'month',
    value: 'totalReads',
    fields: ['month', 'totalReads', 'averageReadTimeMs', 'averageCompletion', 'completionRate'],
  },
}

const activityView: View = {
  columns: [{ field: 'publicationId', isWhole: true }, { field: 'period.from' }, { field: 'period.to' }],
  fields: () => fieldsOf(DailyActivity),
  empty: '',
  series: { rows: 'daily', label: 'day', value: 'views', fields: ['day', 'views'] },
}

const spanned = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .option('--from <month>', 'the first month, YYYY-MM', parseMonth)
    .option('--to <month>', 'the last month, YYYY-MM', parseMonth)
    .addOption(new Option('--granularity <unit>', 'totals alone, or by month').choices(granularities))

export function register(group: Command, run: Run): void {
  about(spanned(group.command('scope').description(analytics.scope.summary)), {
    examples: ['analytics scope --from 2026-01 --to 2026-06', 'analytics scope --granularity total --json'],
  }).action(
    run(async (context, span) => {
      await context.check(scopeView)
      const { item } = await context.call(analytics.scope, span)
      await context.item(scopeView, item)
    }),
  )

  about(listing(group.command('popular').description(analytics.popular.summary)), {
    examples: ['analytics popular --limit 10'],
  }).action(run(async (context, paging) => await list(context, popularView, analytics.popular, {}, paging)))

  about(spanned(group.command('publication <id>').description(analytics.publication.summary)), {
    examples: ['analytics publication pub_123 --from 2026-01'],
  }).action(
    run(async (context, id, span) => {
      await context.check(publicationView)
      const { item } = await context.call(analytics.publication, { id, ...span })
      await context.item(publicationView, item)
    }),
  )

  about(group.command('activity <id>').description(analytics.activity.summary), {
    examples: ['analytics activity pub_123 --from 2026-06-01 --to 2026-06-30'],
  })
    .requiredOption('--from <day>', 'the first day, YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'the last day, YYYY-MM-DD', parseDay)
    .action(
      run(async (context, id, { from, to }) => {
        await context.check(activityView)
        const { item } = await context.call(analytics.activity, { id, from, to })
        await context.item(activityView, item)
      }),
    )
}
