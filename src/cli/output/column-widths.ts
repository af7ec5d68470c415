import { type Column, isId } from './view.ts'
import { largestOf, widthOf } from './width.ts'

/** The number of blanks between columns. */
export const gap = 2

/** The smallest useful width of a column. */
export const minWidth = 3
/** The width of a date without time. */
export const dayWidth = 10

/** Which columns shrink, and to what width, one step after the other until the table fits. */
const steps: readonly {
  least: (column: Column, values: number, header: number) => number
  mayShrink: (column: Column) => boolean
}[] = [
  { least: (_, __, header) => Math.max(header, dayWidth), mayShrink: ({ kind }) => kind === 'date' },
  {
    least: ({ isMain }, _, header) => Math.max(header, isMain ? comfortableMain : comfortable),
    mayShrink: ({ isCutLast }) => !isCutLast,
  },
  { least: (_, __, header) => Math.max(header, comfortable), mayShrink: ({ isCutLast }) => !isCutLast },
  { least: (_, __, header) => Math.max(header, 8), mayShrink: ({ isCutLast }) => !isCutLast },
  { least: (_, values) => Math.max(values, 6), mayShrink: ({ kind }) => kind !== 'date' },
  { least: () => 8, mayShrink: ({ isCutLast }) => !isCutLast },
  { least: () => 6, mayShrink: ({ isCutLast }) => !isCutLast },
  { least: ({ kind }) => (kind === 'date' ? dayWidth : 6), mayShrink: column => !isId(column) },
  { least: () => minWidth, mayShrink: column => !isId(column) },
  { least: () => minWidth - 1, mayShrink: () => true },
]

/** Minor columns are left out if a text column that needs it would get less than this width. */
export const comfortable = 15
/** The same for the column that people recognise a row by. */
export const comfortableMain = 30

/** The width of a row of such columns. */
export const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each + gap, -gap)

/** The width of each column in terminal cells, so that the table fits. A width below `minWidth` means that it cannot fit. */
export function widthsFor(
  columns: readonly Column[],
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const values = columns.map((_, index) => largestOf(rows, row => widthOf(row[index] ?? '')))
  const widths = values.map((value, index) => Math.max(minWidth, widthOf(headers[index] ?? ''), value))
  // What people recognise a row by keeps twice the width of the others.
  const parts = columns.map(({ isMain }) => (isMain ? 2 : 1))
  let excess = totalOf(widths) - width
  for (const { least, mayShrink } of steps) {
    const floors = columns.map((column, index) =>
      mayShrink(column)
        ? least(column, values[index] as number, widthOf(headers[index] ?? ''))
        : Number.POSITIVE_INFINITY,
    )
    excess = narrow(widths, floors, parts, excess)
  }
  return widths
}

/**
 * Takes cells off the widest columns, each counted in parts of its own, until they are as many as are too many or every column
 * is at its floor. Gives how many are left to take.
 */
function narrow(
  widths: number[],
  floors: readonly number[],
  parts: readonly number[],
  tooMany: number,
): number {
  const at = (numbers: readonly number[], index: number) => numbers[index] as number
  const share = (index: number) => at(widths, index) / at(parts, index)
  const shrinkable = () => widths.flatMap((each, index) => (each > at(floors, index) ? [index] : []))
  let excess = tooMany
  for (let may = shrinkable(); excess > 0 && may.length > 0; may = shrinkable()) {
    const widest = may.reduce((a, b) => (share(b) > share(a) ? b : a))
    const most = share(widest)
    const equal = may.filter(index => share(index) === most)
    const below = Math.max(0, ...may.map(share).filter(each => each < most))
    // Columns that are equally wide take turns. As many whole turns as bring none of them to its floor are taken at once.
    const cells = equal.reduce((sum, index) => sum + at(parts, index), 0)
    const room = (index: number) => (at(widths, index) - at(floors, index) - 1) / at(parts, index)
    const turns = Math.floor(Math.min(excess / cells, most - below, ...equal.map(room)))
    if (equal.length > 1 && turns > 0) {
      for (const index of equal) widths[index] = at(widths, index) - turns * at(parts, index)
      excess -= turns * cells
      continue
    }
    const next = equal.length > 1 ? most : below
    const least = Math.max(Math.ceil(next * at(parts, widest)), at(floors, widest))
    const less = Math.min(excess, Math.max(1, at(widths, widest) - least))
    widths[widest] = at(widths, widest) - less
    excess -= less
  }
  return excess
}

/** The widths with the widest text narrowed, so that the columns before it and after it stay in place; undefined if it is too narrow. */
export function narrowed(
  widths: readonly number[],
  columns: readonly Column[],
  excess: number,
): readonly number[] | undefined {
  const texts = widths.map((width, index) => (columns[index]?.isCutLast ? 0 : width))
  const widest = Math.max(...texts)
  return widest - excess < comfortable ? undefined : widths.with(texts.indexOf(widest), widest - excess)
}
