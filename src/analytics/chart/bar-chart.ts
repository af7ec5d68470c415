import { type CellKind, human } from '../../cli/output/cell.ts'
import { largestOf, pad, padStart, shorten, widthOf } from '../../cli/output/width.ts'
import type { BarChart, BarColumn, TextColumn } from './columns.ts'
import { type Figure, noFigures } from './figure.ts'
import type { Ink } from './ink.ts'

/** A line for the headers, one for each row, and an axis from zero below the bars, as wide as the ink where that is possible. */
export function drawBarChart(chart: BarChart, ink: Ink): string[] {
  const { before, bars, after } = layOut(chart, ink.width)
  const drawn = [
    ...before.map(({ column, width }) => drawTexts(column, width, ink)),
    ...bars.map(({ column, numbers, room }) => drawFigures(column, numbers, room, chart.isRunning, ink)),
    ...after.map(({ column, width }) => drawTexts(column, width, ink)),
  ]
  const rows = largestOf([...chart.before, ...chart.after], ({ cells }) => cells.length)
  const line = (cellOf: (column: Drawn) => string) => drawn.map(cellOf).join(' '.repeat(gap)).trimEnd()
  const axes = [0, 1].map(index => line(({ axis }) => axis[index] ?? ''))
  return [
    ink.paint(
      'bold',
      line(({ header }) => header),
    ),
    ...Array.from({ length: rows }, (_, row) => line(({ cells }) => cells[row] ?? '')),
    ...axes.filter(axis => axis !== ''),
  ]
}

/** A column as lines of one width. */
interface Drawn {
  readonly header: string
  readonly cells: readonly string[]
  readonly axis: readonly string[]
}

function drawTexts(column: TextColumn, width: number, { glyphs }: Ink): Drawn {
  const place = column.isRight ? padStart : pad
  const placed = (text: string) => place(shorten(text, width, glyphs.cut), width)
  const paint = column.paint ?? (inked => inked)
  return {
    header: placed(column.header),
    cells: column.cells.map(cell => {
      const text = placed(cell)
      const inked = text.trimEnd()
      return paint(inked) + text.slice(inked.length)
    }),
    axis: [' '.repeat(width), ' '.repeat(width)],
  }
}

function drawFigures(
  { header, kind, figures, isDrawn, top = 0 }: BarColumn,
  numbers: number,
  room: number,
  isRunning: (row: number) => boolean,
  ink: Ink,
): Drawn {
  const cells = figures.map(({ text }) => padStart(text, numbers))
  const blank = ' '.repeat(numbers)
  const head = padStart(header, numbers)
  if (!isDrawn || room === 0) return { header: head, cells, axis: [blank, blank] }
  const amounts = figures.map(({ amount }) => amount ?? 0)
  const isCutLast = kind === 'count' && amounts.every(Number.isInteger)
  const scale = scaleOf(
    Math.max(
      top,
      largestOf(amounts, amount => amount),
    ),
    room,
    kind,
    isCutLast,
  )
  const [axis, labels] = axisLines(scale, room, kind, ink)
  return {
    header: `${head} ${' '.repeat(room + 1)}`,
    cells: cells.map((cell, row) => {
      const drawn = drawBar(figures[row] as Figure, room, isRunning(row), scale, ink)
      return `${cell} ${ink.paint('dim', ink.glyphs.axis)}${drawn}`
    }),
    axis: [`${blank} ${ink.paint('dim', axis)}`, `${blank} ${pad(labels, room + 1)}`],
  }
}

function drawBar(
  { amount, isMissing }: Figure,
  room: number,
  isRunning: boolean,
  scale: Scale,
  ink: Ink,
): string {
  if (isMissing) return ink.paint('dim', pad(shorten(` ${noFigures}`, room, ink.glyphs.cut), room))
  const drawn = bar(((amount ?? 0) / scale.top) * room, isRunning, ink)
  return ink.paint(isRunning ? 'yellow' : 'cyan', drawn) + ' '.repeat(room - drawn.length)
}

/** The number of blanks between columns. */
const gap = 2
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
function layOut(chart: BarChart, width: number): Layout {
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

/** An axis from zero to the largest figure, with ticks at round numbers. */
interface Scale {
  readonly top: number
  readonly ticks: readonly number[]
}

/** What lies between two ticks is one of these, times a power of ten. */
const roundSteps = [1, 2, 5]
const mostTicks = 10

/**
 * A scale from zero to `most` in `width` cells, with as many ticks as have room for their labels. Whole numbers (`isCutLast`)
 * have no ticks between them.
 */
export function scaleOf(most: number, width: number, kind: CellKind, isCutLast: boolean): Scale {
  const top = most > 0 ? most : 1
  let ticks = [0]
  for (let power = Math.floor(Math.log10(top)) - 1; ; power++) {
    for (const part of roundSteps) {
      // A negative power of ten is not exact, and its inverse is.
      const step = power < 0 ? part / 10 ** -power : part * 10 ** power
      if (isCutLast && step < 1) continue
      const count = Math.floor(top / step + 1e-9)
      if (count === 0) return { top, ticks }
      ticks = Array.from({ length: count + 1 }, (_, index) => (step * count * index) / count)
      // The last label may have to end where the axis ends, and so comes closer to the one before.
      const isRoomy = (step / top) * width >= 1.5 * human(step * count, kind).length + 1
      if (isRoomy && count <= mostTicks) return { top, ticks }
    }
  }
}

/** The two lines below bars of a width: the axis with its ticks, and their labels. */
export function axisLines(scale: Scale, width: number, kind: CellKind, { glyphs }: Ink): [string, string] {
  const line = [glyphs.corner, ...glyphs.line.repeat(width)]
  const labels = Array.from({ length: width + 1 }, () => ' ')
  let free = 0
  for (const tick of scale.ticks) {
    const column = Math.round((tick / scale.top) * width)
    if (tick > 0) line[column] = glyphs.tick
    const label = human(tick, kind)
    const start = Math.max(0, Math.min(column - Math.floor(label.length / 2), width + 1 - label.length))
    if (start < free || start + label.length > width + 1) continue
    labels.splice(start, label.length, ...label)
    free = start + label.length + 1
  }
  return [line.join(''), labels.join('').trimEnd()]
}

/**
 * A bar of a length in cells, in steps of an eighth of a cell where the terminal can show them. There, anything above zero
 * can be seen.
 */
export function bar(length: number, isRunning: boolean, { glyphs }: Ink): string {
  if (isRunning) return glyphs.running.repeat(Math.round(length))
  const steps = glyphs.parts.length
  const units = Math.max(length > 0 && steps > 1 ? 1 : 0, Math.round(length * steps))
  return glyphs.full.repeat(Math.floor(units / steps)) + glyphs.parts[units % steps]
}
