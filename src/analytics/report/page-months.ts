import { inBothWidths, opened } from '../../pages/charts/frame.ts'
import { type MonthPoint, monthBars } from '../../pages/charts/month-bars.ts'
import { monthLabel } from '../../pages/charts/month-label.ts'
import { type Html, html } from '../../pages/html.ts'
import { table } from '../../pages/parts.ts'
import { type AnalyticsReport, type ScopeCounter, scopeCounters } from './figures.ts'
import { inWords, number, periodName, scopeNames } from './words.ts'

/** The counts of the scope by month: views, and below them readers and publications. */
export function monthsSection({ monthly, period, runningMonth }: AnalyticsReport): Html {
  const pointsOf = (name: ScopeCounter): MonthPoint[] =>
    monthly.map(row => ({ month: row.month, value: row[name] }))
  const drawn = (name: ScopeCounter, wide: number, height: number): Html =>
    inBothWidths(
      {
        id: name,
        title: `${capital(scopeNames[name])} by month`,
        description: describe(pointsOf(name), runningMonth),
      },
      { wide, narrow: 400 },
      (text, { units, name: width }) =>
        monthBars(text, pointsOf(name), {
          width: units,
          height: width === 'wide' ? height : 240,
          running: runningMonth,
        }),
    )
  const rows = monthly.map(row => [
    html`${monthLabel(row.month)}${row.month === runningMonth && ', so far'}`,
    ...scopeCounters.map(name => number(row[name])),
  ])
  const figures = table(
    {
      name: 'Figures by month',
      caption: `Views, active readers and publications read by month, ${periodName(period)}.`,
    },
    [
      { title: 'Month' },
      ...scopeCounters.map(name => ({ title: capital(scopeNames[name]), isNumber: true })),
    ],
    rows,
  )
  return html`<section><h2 id="months">By month</h2>
<figure><figcaption>Views</figcaption>${drawn('totalViews', 880, 300)}</figure>
<div class="columns">
<figure><figcaption>Active readers</figcaption>${drawn('activeReaders', 440, 220)}</figure>
<figure><figcaption>Publications read</figcaption>${drawn('publicationsRead', 440, 220)}</figure>
</div>
<p class="quiet">A reader or a publication counts once in each month, and once in the sum at the top, so the months add up to more.</p>
${opened('The figures', figures)}</section>`
}

/** What a chart of months shows, in words. */
export function describe(points: readonly MonthPoint[], running: string | null): string {
  const known = points.filter((point): point is MonthPoint & { value: number } => point.value !== null)
  const gaps = points.filter(({ value }) => value === null)
  const sorted = [...known].sort((a, b) => a.value - b.value)
  const [least, most] = [sorted[0], sorted.at(-1)]
  const said = ({ month, value }: MonthPoint) => `${number(value)} in ${monthLabel(month)}`
  return [
    least && most ? `From ${said(least)} to ${said(most)}.` : 'There are no figures.',
    gaps.length > 0 && known.length > 0
      ? `There are no figures for ${inWords(gaps.map(({ month }) => monthLabel(month)))}.`
      : '',
    running === null ? '' : `${monthLabel(running)} is not over.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
