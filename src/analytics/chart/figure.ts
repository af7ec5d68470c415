import { type CellKind, human } from '../../cli/output/cell.ts'
import { shorten } from '../../cli/output/width.ts'
import type { Ink } from './ink.ts'

/** A number as a picture shows it. */
export interface Figure {
  readonly text: string
  /** How much is drawn of it, at least 0; undefined if it is missing or no number. */
  readonly amount: number | undefined
  readonly isMissing: boolean
}

/** What stands where figures are missing. */
export const noFigures = 'no figures'

/** The maximum width of a figure's text, so that there is room for what is drawn. */
const mostWidth = 20

/** A value of the service as a figure. `hide` removes secrets. */
export function figureOf(
  value: unknown,
  kind: CellKind,
  { glyphs }: Pick<Ink, 'glyphs'>,
  hide?: (text: string) => string,
): Figure {
  const isMissing = value === undefined || value === null || value === ''
  const text = isMissing ? glyphs.none : shorten(human(value, kind, hide), mostWidth, glyphs.cut)
  return { text, amount: isMissing ? undefined : amountOf(value), isMissing }
}

/** Axes are drawn for what is between these two; what is less is drawn as zero. */
const smallest = 1e-9
const largest = 1e100

function amountOf(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const amount = isNumber || (typeof value === 'string' && /^\d{1,15}$/.test(value)) ? Number(value) : NaN
  return amount <= largest ? (amount < smallest ? 0 : amount) : undefined
}
