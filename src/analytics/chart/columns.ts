import type { CellKind } from '../../cli/output/cell.ts'
import type { Figure } from './figure.ts'

/** A column of texts beside the bars. */
export interface TextColumn {
  readonly header: string
  readonly cells: readonly string[]
  readonly isRight?: boolean
  /** Shrinks, down to this width, if the bars need room. */
  readonly least?: number
  /** Left out unless there is plenty of room. */
  readonly isExtra?: boolean
  /** Colours what stands in a cell. */
  readonly paint?: (cell: string) => string
}

/** A column of figures, each with a bar where there is room. */
export interface BarColumn {
  readonly header: string
  readonly kind: CellKind
  readonly figures: readonly Figure[]
  /** False for figures that are only written. */
  readonly isDrawn: boolean
  /** Where the axis ends at least. */
  readonly top?: number
}

export interface BarChart {
  readonly before: readonly TextColumn[]
  readonly bars: readonly BarColumn[]
  readonly after: readonly TextColumn[]
  /** Whether the span of time that a row stands for is not over. */
  readonly isRunning: (row: number) => boolean
}
