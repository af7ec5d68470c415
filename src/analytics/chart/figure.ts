import { type CellKind, human } from '../../cli/output/cell.ts'
import { shorten } from '../../cli/output/width.ts'
import type { Ink } from './ink.ts'

/** A number as a picture shows it. */
export interface Figure {
  readonly text: string
  /** How much is drawn of it, at least 0; undefined if it is missing or beyond any axis. */
  readonly amount: number | undefined
  readonly isMissing: boolean
}

/** What stands where figures are missing. */
export const noFigures = 'no figures'

/** The maximum width of a figure's text, so that there is room for what is drawn. */
const mostWidth = 20

/** A number of the service as a figure. */
export function figureOf(
  value: number | null | undefined,
  kind: CellKind,
  { glyphs }: Pick<Ink, 'glyphs'>,
): Figure {
  if (value === undefined || value === null) return { text: glyphs.none, amount: undefined, isMissing: true }
  return {
    text: shorten(human(value, kind), mostWidth, glyphs.cut),
    // NaN is not less than anything either.
    amount: value <= largest ? (value < smallest ? 0 : value) : undefined,
    isMissing: false,
  }
}

/** Axes are drawn for what is between these two; what is less is drawn as zero. */
const smallest = 1e-9
const largest = 1e100
