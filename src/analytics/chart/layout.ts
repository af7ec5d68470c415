import { largestOf, widthOf } from '../../cli/output/width.ts'
import type { BarChart, BarColumn, TextColumn } from './columns.ts'

/** The number of blanks between columns. */
export const gap = 2
/** What a bar takes beside its own length: a blank and the axis. */
const axisWidth = 2
/** The length of a bar below which something else makes room for it. */
const comfortable = 24
const useful = 16
const least = 12
/** The longest bar; a longer one is no easier to read. */
const most = 80
/** How much of the width a text that shrinks may take. */
const mostText = 0.4

interface Layout {
  readonly before: readonly { readonly column: TextColumn; readonly width: number }[]
  /** The width of the numbers, and the length of the longest bar; 0 if there are no bars. */
  readonly bars: readonly { readonly column: BarColumn; readonly numbers: number; readonly room: number }[]
  readonly after: readonly { readonly column: TextColumn; readonly width: number }[]
}

/** What of a chart is shown, and how bars and texts share the width. */
export function layOut(chart: BarChart, width: number): Layout {
  const natural = (column: TextColumn) => Math.max(widthOf(column.header), largestOf(column.cells, widthOf))
  const textWidth = (column: TextColumn) =>
    column.least === undefined
      ? natural(column)
      : Math.max(column.least, Math.min(natural(column), Math.floor(width * mostText)))
  const numbersOf = ({ header, figures }: BarColumn) =>
    Math.max(
      widthOf(header),
      largestOf(figures, ({ text }) => widthOf(text)),
    )

  /** The length of each bar, when the first `drawn` of the first `shown` columns that can be drawn have bars. */
  const roomFor = (hasExtras: boolean, shown: number, drawn: number): number => {
    const texts = [...chart.before, ...chart.after].filter(column => hasExtras || !column.isExtra)
    const bars = chart.bars.slice(0, shown)
    const widths = [...texts.map(textWidth), ...bars.map(numbersOf)]
    const used = widths.reduce((sum, each) => sum + each + gap, -gap) + drawn * axisWidth
    return Math.min(most, Math.floor((width - used) / Math.max(1, drawn)))
  }
  const all = chart.bars.length
  const drawable = chart.bars.filter(({ isDrawn }) => isDrawn).length
  const downTo = (first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, at) => first - at)
  const options = [
    ...downTo(drawable, 1).map(drawn => ({ hasExtras: true, shown: all, drawn, enough: comfortable })),
    { hasExtras: false, shown: all, drawn: 1, enough: useful },
    ...downTo(all, 1).map(shown => ({ hasExtras: false, shown, drawn: 1, enough: useful })),
  ]
  const barest = { hasExtras: false, shown: 1, drawn: 1, enough: 0 }
  const chosen =
    options.find(each => roomFor(each.hasExtras, each.shown, each.drawn) >= each.enough) ?? barest
  const { hasExtras, shown, drawn } = chosen

  let room = roomFor(hasExtras, shown, drawn)
  const isShown = (column: TextColumn) => hasExtras || !column.isExtra
  const place = (column: TextColumn) => {
    const wanted = textWidth(column)
    const missing = Math.max(0, least - room)
    const shrunk = Math.min(wanted, Math.max(column.least ?? wanted, wanted - missing))
    room += wanted - shrunk
    return { column, width: shrunk }
  }
  const before = chart.before.filter(isShown).map(place)
  const after = chart.after.filter(isShown).map(place)
  let left = drawn
  const bars = chart.bars.slice(0, shown).map(column => ({
    column,
    numbers: numbersOf(column),
    // A bar of a few cells would say nothing.
    room: column.isDrawn && left-- > 0 && room >= 6 ? room : 0,
  }))
  return { before, bars, after }
}
