import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { requestView } from '../../cli/output/dry-run-views.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import type { View } from '../../cli/output/view.ts'
import { countMonths, monthAfter, monthOf, type Period } from '../../system/calendar.ts'
import { checkPage } from '../../system/check-page.ts'
import { UsageFailure } from '../../system/errors.ts'
import { userAgent } from '../../system/version.ts'
import { writeFile } from '../../system/write-file.ts'
import { collectReport } from './collect.ts'
import { readFigures, scopeCounters } from './figures.ts'
import { reportPage } from './page.ts'

interface ReportOptions {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly top: number
  readonly calendar?: readonly string[] | undefined
  readonly readers?: true | undefined
  readonly out?: string | undefined
}

/** Reads the figures, writes the page, and prints them: the titles as a table, or everything as JSON. */
export async function makeReport(context: Context, options: ReportOptions): Promise<void> {
  const { format, world } = context
  const { out, top, calendar = [], readers } = options
  const isJson = format === 'json' || format === 'ndjson'
  const isDryRun = context.options.dryRun === true
  const view = isJson || context.options.query !== undefined ? reportView : titlesView
  await context.check(isDryRun ? requestView : view)
  const period = periodOf(options, world.clock.now())
  if (out !== undefined) checkPage(out)
  else if (format === 'table' && context.options.query === undefined) {
    throw new UsageFailure('there is no file to write the report to', {
      hint: 'Name it with --out report.html, or add --json to print the figures.',
    })
  }
  if (isDryRun) {
    return await context.list(requestView, [
      out === undefined ? [] : [{ method: 'WRITE', url: `file:${out}` }],
    ])
  }
  const wanted = { period, top, calendars: calendar, showsProgress: readers === true }
  const { report, failures, count } = await collectReport(context, wanted)
  world.signal.throwIfAborted()
  if (out !== undefined) {
    const page = reportPage(hideInside(report, context.err.hide), userAgent.replace('/', ' '))
    writeFile(out, page, { isPrivate: false, isDurable: true })
  }
  if (view === reportView) await context.item(view, report)
  else await context.list(view, [report.titles])
  if (report.titlesRanked > report.titles.length)
    await context.note(
      `The service ranks ${report.titlesRanked} titles; these are the first ${report.titles.length}.`,
    )
  if (out !== undefined) await context.note(`The report is in ${out}.`)
  if (failures.length > 0) throw partFailed(failures, count)
}

/** The most months: ten years. */
const mostMonths = 120

/** The months of a report. Without options, the twelve months that are over. Throws UsageFailure. */
function periodOf({ from, to }: Pick<ReportOptions, 'from' | 'to'>, now: number): Period {
  const running = monthOf(now)
  const over = monthAfter(running, -1)
  const last = to ?? (from !== undefined && from > over ? running : over)
  const period = { from: from ?? monthAfter(last, -11), to: last }
  if (last > running) {
    throw new UsageFailure(`--to ${last} has not begun`, { hint: `The current month is ${running}, by UTC.` })
  }
  if (period.from > last) {
    const message =
      from !== undefined && from > running
        ? `--from ${from} has not begun`
        : `${period.from} is after ${last}`
    throw new UsageFailure(message, {
      hint: `Name the first month with --from, and the last, at most ${running}, with --to.`,
    })
  }
  if (countMonths(period) > mostMonths) {
    throw new UsageFailure(`a report has at most ${mostMonths} months`, { hint: 'Make several reports.' })
  }
  return period
}

const titleFields = [
  'rank',
  'publicationId',
  'title',
  'views',
  'change',
  'error',
  'error.code',
  'error.message',
]

/** The titles of a report as a table. */
const titlesView: View = {
  columns: [
    { field: 'rank', isCutLast: true },
    { field: 'publicationId', isMinor: true },
    { field: 'title', isMain: true },
    { field: 'totals.totalReads', label: 'reads', kind: 'count', isCutLast: true },
    { field: 'change', kind: 'part' },
    { field: 'totals.averageReadTimeMs', label: 'average read time', kind: 'duration', isMinor: true },
    { field: 'totals.averageCompletion', kind: 'part', isMinor: true },
    { field: 'totals.completionRate', kind: 'part', isMinor: true },
    { field: 'views', kind: 'count', isMinor: true },
    { field: 'error.message', label: 'error' },
  ],
  fields: () =>
    new Set([
      ...titleFields,
      ...['totals', 'before', 'monthly'].flatMap(name => [
        name,
        ...readFigures.map(each => `${name}.${each}`),
      ]),
      'monthly.month',
    ]),
  empty: 'Nothing has been viewed yet.',
}

/** A report as a whole, for JSON. */
const reportView: View = {
  columns: [],
  fields: () => {
    const periods = ['period', 'periodBefore', 'activity.period']
    const counts = ['totals', 'before', 'change', 'monthly']
    return new Set([
      ...['runningMonth', 'madeAtIso', 'scopeId', 'titlesRanked', 'monthly.month', 'titles', 'titles.*'],
      ...['activity', 'activity.*', 'progress', 'progress.*', 'unread', 'unread.*'],
      ...periods.flatMap(name => [name, `${name}.from`, `${name}.to`]),
      ...counts.flatMap(name => [name, ...scopeCounters.map(each => `${name}.${each}`)]),
    ])
  },
}
