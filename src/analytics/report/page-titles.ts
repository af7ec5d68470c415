import { humanDuration } from '../../cli/output/cell.ts'
import { figure, inBothWidths, opened } from '../../pages/charts/frame.ts'
import { monthLabel } from '../../pages/charts/month-label.ts'
import { scatter } from '../../pages/charts/scatter.ts'
import { trendLine } from '../../pages/charts/trend-line.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { badge, magnitude, table } from '../../pages/parts.ts'
import type { AnalyticsReport, TitleFigures } from './figures.ts'
import { describe } from './page-months.ts'
import { beforeName, changed, number, percent, periodName, readNames } from './words.ts'

/** A title of any length, apart from the text around it. */
export const titleText = (title: string): Html => html`<bdi>${cutValue(title, 300)}</bdi>`

/** The titles, those that are read most first, each with its trend. */
export function titlesSection({ titles, titlesRanked, period, runningMonth }: AnalyticsReport): Html {
  const most = Math.max(1, ...titles.map(({ totals }) => totals?.totalReads ?? 0))
  const rows = titles.map((title): PageValue[] => [
    titleCell(title),
    magnitude(number(title.totals?.totalReads), (title.totals?.totalReads ?? 0) / most),
    changed(title.change, title.before?.totalReads),
    trendLine(
      {
        id: `trend-${title.rank}`,
        title: `Reads of ${cutValue(title.title, 300)} by month`,
        description: describe(pointsOf(title), runningMonth),
      },
      pointsOf(title),
      runningMonth,
    ),
    percent(title.totals?.averageCompletion),
    percent(title.totals?.completionRate),
    typeof title.totals?.averageReadTimeMs === 'number' ? humanDuration(title.totals.averageReadTimeMs) : '–',
    number(title.views),
  ])
  const cut = titlesRanked > titles.length ? `the first ${titles.length} of ${titlesRanked}` : 'all'
  const ranked = table(
    {
      name: 'Titles',
      caption: `Titles by reads, ${periodName(period)}: ${cut} that the service ranks as popular. The changes are from ${beforeName(period)}.`,
    },
    [
      { title: 'Title' },
      { title: readNames.totalReads },
      { title: 'Change' },
      { title: 'Trend' },
      { title: readNames.averageCompletion, isNumber: true },
      { title: readNames.completionRate, isNumber: true },
      { title: readNames.averageReadTimeMs, isNumber: true },
      { title: 'Views', isNumber: true },
    ],
    rows,
  )
  if (titles.length === 0) {
    return html`<section><h2 id="titles">Titles</h2><p>The service ranks no titles: nothing has been viewed yet.</p></section>`
  }
  return html`<section><h2 id="titles">Titles</h2>
${ranked}
<p class="quiet">Each trend begins at zero and has a scale of its own${runningMonth !== null && '; a hollow dot is the month that is not over'}. Views are those by which the service ranks titles; it does not say over which time.</p>
${opened('Reads of each title by month', readsByMonth(titles))}</section>`
}

function readsByMonth(titles: readonly TitleFigures[]): Html {
  const months = titles[0]?.monthly.map(({ month }) => month) ?? []
  return table(
    { name: 'Reads by month', caption: 'Reads of each title by month.' },
    [{ title: 'Title' }, ...months.map(month => ({ title: monthLabel(month), isNumber: true }))],
    titles.map(title => [titleCell(title), ...title.monthly.map(({ totalReads }) => number(totalReads))]),
  )
}

const titleCell = ({ rank, title, error }: TitleFigures): Html =>
  html`<span class="rank">${rank}.</span> ${titleText(title)}${error !== null && html`<span class="file">${badge('warn', 'Not read')} ${cutValue(error.message, 300)}</span>`}`

const pointsOf = ({ monthly }: TitleFigures) =>
  monthly.map(({ month, totalReads }) => ({ month, value: totalReads }))

/** How far titles are read against how often. */
export function completionSection({ titles }: AnalyticsReport): Html | undefined {
  const points = titles.flatMap(({ rank, title, totals }) => {
    const [x, y] = [totals?.totalReads, totals?.averageCompletion]
    if (typeof x !== 'number' || typeof y !== 'number' || x === 0) return []
    return [{ rank, title, x, y, completionRate: totals?.completionRate }]
  })
  if (points.length === 0) return undefined
  const left = titles.length - points.length
  const figures = table(
    { name: 'Completion and reads', caption: 'Completion and reads of each title.' },
    [
      { title: 'Title' },
      ...[readNames.totalReads, readNames.averageCompletion, readNames.completionRate].map(title => ({
        title,
        isNumber: true,
      })),
    ],
    points.map(({ rank, title, x, y, completionRate }) => [
      html`<span class="rank">${rank}.</span> ${titleText(title)}`,
      number(x),
      percent(y),
      percent(completionRate),
    ]),
  )
  const text = {
    id: 'completion',
    title: 'Average completion against reads',
    description: `A dot for each of ${points.length} titles: the further right, the more it is read; the higher, the more of it is read on average.`,
  }
  const drawn = inBothWidths(text, { wide: 880, narrow: 400 }, (own, { units }) =>
    scatter(
      own,
      points.map(({ rank, title, x, y }) => ({
        name: `${rank}. ${cutValue(title, 300)}: ${number(x)} reads, ${percent(y)} on average`,
        label: String(rank),
        x,
        y,
      })),
      { width: units, height: units === 400 ? 320 : 380, xLabel: 'reads', yLabel: 'average completion' },
    ),
  )
  return html`<section><h2 id="completion">How far titles are read</h2>
${figure(
  {
    caption: 'Average completion against reads',
    remark: `The numbers are those of the titles above.${left > 0 ? ` ${left === 1 ? 'One title' : `${left} titles`} without reads or figures ${left === 1 ? 'has' : 'have'} no dot.` : ''}`,
  },
  drawn,
  figures,
)}</section>`
}
