import { largestOf, pad, padStart, shorten } from '../../cli/output/width.ts'
import type { BarChart, BarColumn, TextColumn } from './columns.ts'
import { type Figure, noFigures } from './figure.ts'
import type { Ink } from './ink.ts'
import { gap, layOut } from './layout.ts'
import { axisLines, bar, type Scale, scaleOf } from './scale.ts'

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
  const isWhole = kind === 'count' && amounts.every(Number.isInteger)
  const scale = scaleOf(
    Math.max(
      top,
      largestOf(amounts, amount => amount),
    ),
    room,
    kind,
    isWhole,
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
