import type { CellKind } from '../cli/output/cell.ts'
import { human } from '../cli/output/cell.ts'
import { drawBarChart } from './chart/bar-chart.ts'
import { figureOf } from './chart/figure.ts'
import type { Drawing } from './draw.ts'
import type { ReadFigure, ScopeCounter } from './report/figures.ts'
import { labelOf, monthSpans } from './spans.ts'

/** A figure of a month. */
interface Measure<Field extends string> {
  readonly field: Field
  readonly header: string
  readonly kind: CellKind
  readonly isDrawn: boolean
  /** Where its axis ends at least. */
  readonly top?: number
}

export const scopeMeasures: readonly Measure<ScopeCounter>[] = [
  { field: 'totalViews', header: 'VIEWS', kind: 'count', isDrawn: true },
  { field: 'activeReaders', header: 'READERS', kind: 'count', isDrawn: true },
  { field: 'publicationsRead', header: 'PUBLICATIONS', kind: 'count', isDrawn: true },
]

export const readMeasures: readonly Measure<ReadFigure>[] = [
  { field: 'totalReads', header: 'READS', kind: 'count', isDrawn: true },
  { field: 'averageCompletion', header: 'COMPLETION', kind: 'part', isDrawn: true, top: 1 },
  { field: 'completionRate', header: 'COMPLETED', kind: 'part', isDrawn: true, top: 1 },
  { field: 'averageReadTimeMs', header: 'READ TIME', kind: 'duration', isDrawn: false },
]

interface ByMonth<Field extends string> {
  readonly period: { readonly from: string | null; readonly to: string | null } | null
  readonly monthly:
    | readonly ({ readonly month: string | null } & {
        readonly [name in Field]: number | null
      })[]
    | null
}

/** Bars for each month of an answer; no lines if it has no months. */
export function drawMonths<Field extends string>(
  item: ByMonth<Field>,
  measures: readonly Measure<Field>[],
  { ink, now, hide }: Drawing,
): string[] {
  const rows = item.monthly ?? []
  if (rows.length === 0) return []
  const spans =
    monthSpans(rows, item.period, now) ??
    // Of no known month, such as one that is written in another way.
    rows.map(row => ({ name: human(row.month, 'text', hide), state: 'over' as const, row }))
  const chart = {
    before: [{ header: 'MONTH', cells: spans.map(labelOf) }],
    bars: measures.map(({ field, ...measure }) => ({
      ...measure,
      figures: spans.map(({ row }) => figureOf(row?.[field], measure.kind, ink)),
    })),
    after: [],
    isRunning: (row: number) => spans[row]?.state === 'running',
  }
  return drawBarChart(chart, ink)
}
