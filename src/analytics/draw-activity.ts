import { human } from '../cli/output/cell.ts'
import { pick } from '../cli/output/fields.ts'
import { drawBarChart } from './chart/bar-chart.ts'
import { figureOf } from './chart/figure.ts'
import { drawHeatMap, weekdayName } from './chart/heat-map.ts'
import type { Drawing } from './draw.ts'
import { daySpans, labelOf, type Span } from './spans.ts'

/** More days than these are drawn as a calendar. */
const mostBars = 31

/** Bars for each day of an answer, or a calendar if it spans more than a month; no lines if it has no days. */
export function drawActivity(item: unknown, { ink, now, hide }: Drawing): string[] {
  const elements: unknown = pick(item, ['daily'])
  if (!Array.isArray(elements) || elements.length === 0) return []
  const days = daySpans(item, now)
  const figureIn = (element: unknown) => figureOf(pick(element, ['views']), 'count', ink, hide)
  const isCalendar =
    days && days.length > mostBars && new Set(days.map(({ name }) => name)).size === days.length
  if (isCalendar) {
    const map = drawHeatMap(
      // A service may send zeros for days that have not begun.
      days.map(({ name, state, element }) => {
        const figure = figureIn(element)
        const isAhead = state === 'ahead' && figure.amount === 0
        return { at: Date.parse(name), figure: isAhead ? figureIn(undefined) : figure }
      }),
      ink,
    )
    return [...map, ...wordsOn(days)]
  }
  const spans =
    days ?? elements.map(element => ({ name: human(pick(element, ['day']), 'text', hide), element }))
  const labels = days
    ? days.map(day => `${weekdayName(Date.parse(day.name))} ${labelOf(day)}`)
    : spans.map(({ name }) => name)
  const chart = {
    before: [{ header: 'DAY', cells: labels }],
    bars: [
      {
        header: 'VIEWS',
        kind: 'count' as const,
        isDrawn: true,
        figures: spans.map(({ element }) => figureIn(element)),
      },
    ],
    after: [],
    isRunning: (row: number) => days?.[row]?.state === 'running',
  }
  return drawBarChart(chart, ink)
}

/** The views in all, the day with the most, and whether a day is not over. */
function wordsOn(days: readonly Span[]): string[] {
  const views = days.flatMap(({ name, element }) => {
    const count: unknown = pick(element, ['views'])
    return typeof count === 'number' ? [{ name, count }] : []
  })
  const busiest = views.reduce((most, day) => (day.count > most.count ? day : most), { name: '', count: 0 })
  const sum = views.reduce((total, { count }) => total + count, 0)
  const running = days.find(({ state }) => state === 'running')
  return [
    busiest.count > 0
      ? `${human(sum, 'count')} views in all, the most on ${busiest.name}: ${human(busiest.count, 'count')}`
      : 'no views',
    ...(running ? [`${running.name} is not over`] : []),
  ]
}
