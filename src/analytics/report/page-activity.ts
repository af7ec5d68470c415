import { calendar } from '../../pages/charts/calendar.ts'
import { figure, inBothWidths } from '../../pages/charts/frame.ts'
import { dayLabel, monthLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html } from '../../pages/html.ts'
import { badge, table } from '../../pages/parts.ts'
import type { AnalyticsReport, DailyViews, FigureOrNull } from './figures.ts'
import { titleText } from './page-titles.ts'
import { number } from './words.ts'

/** The views of titles day by day. */
export const activitySections = ({ activity }: AnalyticsReport): Html | false =>
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
    gaps > 0 ? `There are no figures for ${gaps} ${gaps === 1 ? 'day' : 'days'}.` : '',
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
