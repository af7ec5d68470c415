import { calendar } from '../../pages/charts/calendar.ts'
import { figure, inBothWidths } from '../../pages/charts/frame.ts'
import { histogram } from '../../pages/charts/histogram.ts'
import { dayLabel, monthLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, figures, table } from '../../pages/parts.ts'
import type { Period } from '../../system/calendar.ts'
import { counted } from '../../system/counted.ts'
import { type AnalyticsReport, type DailyViews, type FigureOrNull, scopeCounters } from './figures.ts'
import { monthsSection } from './page-months.ts'
import { completionSection, titlesSection, titleText } from './page-titles.ts'
import { fewestReaders, type ProgressGroup, type ReaderProgress } from './progress-groups.ts'
import { beforeName, changed, inWords, number, percent, periodName, scopeNames } from './words.ts'

/** A report as a self-contained page. `program` is the name and version of what made it. */
export function reportPage(report: AnalyticsReport, program: string): string {
  const { period, periodBefore, runningMonth, totals, before, change, unread, titles } = report
  const failed = titles.filter(({ error }) => error !== null).length
  return page({
    title: `What was read, ${periodName(period)}`,
    lead: html`Views, readers and titles${periodBefore !== null && html`, compared with ${beforeName(period)}, ${periodName(periodBefore)}`}. Made on ${dayLabel(report.madeAtIso.slice(0, 10))}.${runningMonth !== null && html` <b>${monthLabel(runningMonth)} is not over</b>, so its figures will still grow, and the changes compare it with a whole month.`}`,
    hasCharts: true,
    body: html`${figures(
      scopeCounters.map(name => ({
        label: scopeNames[name],
        value: totals[name] ?? '–',
        beside: periodBefore ? changed(change[name], before?.[name]) : undefined,
      })),
    )}
${missing(unread, failed)}
${monthsSection(report)}
${titlesSection(report)}
${completionSection(report)}
${activitySections(report)}
${report.progress !== null && progressSection(report.progress, period)}`,
    footer: html`Views, reads and readers are what the publishing service counts; views and reads are two counts that need not agree. Months and days are those of UTC. Made by ${program}.`,
  })
}

/** What the page lacks, said at its top. */
function missing(unread: AnalyticsReport['unread'], failed: number): Html | undefined {
  const all = [
    ...(failed > 0 ? [`figures of ${counted(failed, 'title')}`] : []),
    ...unread.map(({ what }) => what),
  ]
  return all.length === 0
    ? undefined
    : html`<p>${badge('warn', 'Incomplete')} The service did not give the ${inWords(all.map(each => each.replace(/^the /, '')))}.</p>`
}

/** The views of titles day by day. */
const activitySections = ({ activity }: AnalyticsReport): Html | false =>
  activity.length > 0 &&
  html`<section><h2 id="days">Day by day</h2>
${activity.map(({ title, daily, period, error }, at) => {
  const points = daily.map(({ day, views }) => ({ day, value: views }))
  const text = {
    id: `days-${at + 1}`,
    title: `Views of ${cutValue(title, 300)} on each day`,
    description: describe(daily, period),
  }
  return figure(
    {
      caption: html`Views of ${titleText(title)}, ${dayLabel(period.from)} to ${dayLabel(period.to)}`,
      remark: error
        ? html`${badge('warn', 'Incomplete')} The service did not give all days: ${cutValue(error.message, 300)}`
        : undefined,
    },
    inBothWidths(text, { wide: 890, narrow: 400 }, (own, { units }) => calendar(own, points, units)),
    monthTable(title, daily),
  )
})}</section>`

function describe(daily: DailyViews['daily'], { from, to }: DailyViews['period']): string {
  const known = daily.filter((each): each is { day: string; views: number } => each.views !== null)
  const gaps = daily.length - known.length
  const sum = known.reduce((all, { views }) => all + views, 0)
  const busiest = known.reduce((best, each) => (each.views > best.views ? each : best), { day: '', views: 0 })
  return [
    `${number(sum)} views from ${dayLabel(from)} to ${dayLabel(to)}.`,
    busiest.views > 0 ? `The most, ${number(busiest.views)}, were on ${dayLabel(busiest.day)}.` : '',
    gaps > 0 ? `There are no figures for ${counted(gaps, 'day')}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** A row a month, a column a day. */
function monthTable(title: string, daily: DailyViews['daily']): Html {
  const months = new Map<string, Map<number, FigureOrNull>>()
  for (const { day, views } of daily) {
    const month = day.slice(0, 7)
    months.set(month, (months.get(month) ?? new Map()).set(Number(day.slice(8)), views))
  }
  const numbers = Array.from({ length: 31 }, (_, at) => at + 1)
  return table(
    { name: `Views of ${cutValue(title, 100)} by day`, caption: 'Views on each day, a row for each month.' },
    [
      { title: 'Month' },
      { title: 'All days', isNumber: true },
      ...numbers.map(day => ({ title: String(day), isNumber: true })),
    ],
    [...months].map(([month, days]) => [
      monthLabel(month),
      number(sumOf([...days.values()])),
      ...numbers.map(day => (days.has(day) ? number(days.get(day)) : '')),
    ]),
  )
}

/** The sum of the days whose views are known; none if that is no day. */
function sumOf(days: readonly FigureOrNull[]): FigureOrNull {
  const known = days.filter(views => views !== null)
  return known.length === 0 ? null : known.reduce((sum, views) => sum + views, 0)
}

/** How far readers have come, in groups in which nobody can be recognised. */
function progressSection({ readers, groups, unread }: ReaderProgress, period: Period): Html {
  const missing =
    unread > 0 &&
    html`<p>${badge('warn', 'Incomplete')} ${number(unread)} reader ${unread === 1 ? 'record' : 'records'} could not be read.</p>`
  if (readers === null) {
    return html`<section><h2 id="progress">How far readers have come</h2>${missing}
<p>Fewer than ${fewestReaders} readers with known progress read in these months. They are not shown, because they could be recognised.</p></section>`
  }
  const text = {
    id: 'progress',
    title: 'Readers by progress',
    description: `${number(readers)} readers by how much they have read of a book: ${groups.map(group => `${number(group.readers)} at ${rangeOf(group)}`).join(', ')}.`,
  }
  const drawn = inBothWidths(text, { wide: 880, narrow: 400 }, (own, { units }) =>
    histogram(
      own,
      groups.map(group => ({ ...group, count: group.readers })),
      { width: units, height: 300, xLabel: 'part of the book', yLabel: 'readers for each 10 %' },
    ),
  )
  const figures = table(
    { name: 'Readers by progress', caption: 'The number of readers by progress.' },
    [{ title: 'Part of the book' }, { title: 'Readers', isNumber: true }],
    groups.map(group => [rangeOf(group), number(group.readers)]),
  )
  return html`<section><h2 id="progress">How far readers have come</h2>${missing}
${figure(
  {
    caption: `${number(readers)} readers by their progress`,
    remark: `Each reader counts once, with the book read last in ${periodName(period)} and as far as is read today. Readers whose progress is not known are left out. No group has fewer than ${fewestReaders} readers, so some groups are wider; the number of readers stands above each.`,
  },
  drawn,
  figures,
)}</section>`
}

const rangeOf = ({ from, to }: ProgressGroup): string => `${percent(from)} to ${percent(to)}`
