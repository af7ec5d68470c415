import type { CellKind } from '../cli/output/cell.ts'
import { human } from '../cli/output/cell.ts'
import { pick } from '../cli/output/fields.ts'
import { drawBarChart } from './chart/bar-chart.ts'
import { figureOf } from './chart/figure.ts'
import type { Drawing } from './draw.ts'
import { labelOf, monthSpans, type Span } from './spans.ts'

/** A figure of a month. */
interface Measure {
  readonly field: string
  readonly header: string
  readonly kind: CellKind
  readonly isDrawn: boolean
  /** Where its axis ends at least. */
  readonly top?: number
}

export const scopeMeasures: readonly Measure[] = [
  { field: 'totalViews', header: 'VIEWS', kind: 'count', isDrawn: true },
  { field: 'activeReaders', header: 'READERS', kind: 'count', isDrawn: true },
  { field: 'publicationsRead', header: 'PUBLICATIONS', kind: 'count', isDrawn: true },
]

export const readMeasures: readonly Measure[] = [
  { field: 'totalReads', header: 'READS', kind: 'count', isDrawn: true },
  { field: 'averageCompletion', header: 'COMPLETION', kind: 'part', isDrawn: true, top: 1 },
  { field: 'completionRate', header: 'COMPLETED', kind: 'part', isDrawn: true, top: 1 },
  { field: 'averageReadTimeMs', header: 'READ TIME', kind: 'duration', isDrawn: false },
]

/** Bars for each month of an answer; no lines if it has no months. */
export function drawMonths(
  item: unknown,
  measures: readonly Measure[],
  { ink, now, hide }: Drawing,
): string[] {
  const elements: unknown = pick(item, ['monthly'])
  if (!Array.isArray(elements) || elements.length === 0) return []
  const spans = monthSpans(item, now) ?? elements.map(element => asSent(element, hide))
  const chart = {
    before: [{ header: 'MONTH', cells: spans.map(labelOf) }],
    bars: measures.map(({ field, ...measure }) => ({
      ...measure,
      figures: spans.map(({ element }) => figureOf(pick(element, [field]), measure.kind, ink, hide)),
    })),
    after: [],
    isRunning: (row: number) => spans[row]?.state === 'running',
  }
  return drawBarChart(chart, ink)
}

/** An element that is of no known month, such as one that is written in another way. */
const asSent = (element: unknown, hide: (text: string) => string): Span => ({
  name: human(pick(element, ['month']), 'text', hide),
  state: 'over',
  element,
})
