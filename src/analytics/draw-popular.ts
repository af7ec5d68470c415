import { human } from '../cli/output/cell.ts'
import { wrap } from '../cli/output/wrap.ts'
import type { Resource } from '../service/client/read.ts'
import type { PopularPublication, PublicationAnalytics } from '../service/contract/analytics.ts'
import { monthOf, monthsIn, type Period } from '../system/calendar.ts'
import { drawBarChart } from './chart/bar-chart.ts'
import type { TextColumn } from './chart/columns.ts'
import { type Figure, figureOf, noFigures } from './chart/figure.ts'
import type { Ink } from './chart/ink.ts'
import type { Drawing } from './draw.ts'

interface PopularDrawing extends Drawing {
  /** The months of the trends, if the titles have trends. */
  readonly period: Period | undefined
}

/** A popular title, and how it is read if that was asked for. */
export interface Title extends Resource<typeof PopularPublication> {
  readonly trend?: Resource<typeof PublicationAnalytics> | null
}

/** Ranked bars of titles in the order of the service, each with its trend if there is one. */
export function drawPopular(titles: readonly Title[], drawing: PopularDrawing): string[] {
  const { ink, hide, period } = drawing
  const textsOf = (field: 'publicationId' | 'title') => titles.map(title => human(title[field], 'text', hide))
  const ids = textsOf('publicationId')
  const names = textsOf('title').map((name, row) => name || (ids[row] as string))
  const chart = {
    before: [
      { header: '', cells: titles.map((_, row) => String(row + 1)), isRight: true },
      { header: 'TITLE', cells: names, least: 12 },
      { header: 'PUBLICATION ID', cells: ids, isExtra: true },
    ],
    bars: [
      {
        header: 'VIEWS',
        kind: 'count' as const,
        isDrawn: true,
        figures: titles.map(title => figureOf(title.views, 'count', ink)),
      },
    ],
    after: period ? trendColumns(titles, { ...drawing, period }) : [],
    isRunning: () => false,
  }
  return [...drawBarChart(chart, ink), ...(period ? ['', ...wordsOn(period, drawing)] : [])]
}

/** The width from which on a month of a trend takes two cells. */
const wide = 140
/** The most months of which each has a cell; of more, the last are drawn. */
const mostMonths = 36

/** The reads of each month of the period, and the most of them. */
function trendColumns(
  titles: readonly Title[],
  { ink, now, period }: Drawing & { readonly period: Period },
): TextColumn[] {
  const months = shownMonths(period)
  const cells = ink.width >= wide ? 2 : 1
  const trends = titles.map(({ trend }) => {
    const reads = new Map(trend?.monthly?.map(({ month, totalReads }) => [month, totalReads]))
    const figures = months.map(month => figureOf(reads.get(month), 'count', ink))
    const most = figures.reduce((a, b) => ((b.amount ?? -1) > (a.amount ?? -1) ? b : a))
    return { line: most.amount === undefined ? noFigures : sparkline(figures, cells, ink), most }
  })
  const runningFrom = months.at(-1) === monthOf(now) ? (months.length - 1) * cells : Number.POSITIVE_INFINITY
  const paint = (cell: string): string =>
    cell.startsWith(noFigures)
      ? ink.paint('dim', cell)
      : ink.paint('cyan', cell.slice(0, runningFrom)) + ink.paint('yellow', cell.slice(runningFrom))
  return [
    { header: 'TREND', cells: trends.map(({ line }) => line), paint },
    { header: 'MOST', cells: trends.map(({ most }) => most.text), isRight: true, isExtra: true },
  ]
}

const shownMonths = (period: Period): readonly string[] => monthsIn(period).slice(-mostMonths)

/** What the trends show. */
function wordsOn(period: Period, { ink, now }: Pick<Drawing, 'ink' | 'now'>): string[] {
  const months = shownMonths(period)
  const [first, last] = [months[0] as string, months.at(-1) as string]
  const running = last === monthOf(now) ? `, where ${last} is not over` : ''
  const text = `Trend: the reads of each month from ${first} to ${last}${running}, from zero to the title's own most.`
  return wrap(text, ink.width).split('\n')
}

/** The figures from zero to the largest of them, `cells` cells each. A missing one stays blank. */
export function sparkline(
  figures: readonly Pick<Figure, 'amount'>[],
  cells: number,
  { glyphs }: Ink,
): string {
  const { levels } = glyphs
  const most = Math.max(0, ...figures.map(({ amount }) => amount ?? 0))
  return figures
    .map(({ amount }) => {
      if (amount === undefined) return ' '
      const level = most === 0 ? 0 : Math.ceil((amount / most) * levels.length) - 1
      return levels[Math.max(0, level)] as string
    })
    .map(level => level.repeat(cells))
    .join('')
}
