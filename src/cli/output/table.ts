import Table from 'cli-table3'
import { human } from './cell.ts'
import { pick } from './fields.ts'
import { hideInside } from './secrets.ts'
import { type Column, header, type Pages, textsOf } from './view.ts'
import { largestOf, shorten, shortenStart, widthOf } from './width.ts'
import { wrap } from './wrap.ts'
import type { Writer } from './writer.ts'

/** The number of blanks between columns. */
const gap = 2

/** The text of a cell. Secrets are hidden here, because they cannot be recognised after the text was cut. */
const cellOf = (out: Writer, item: unknown, column: Column): string =>
  human(shownValue(out, item, column), column.kind, out.hide)

/** A value, or the texts that stand for it. */
function shownValue(out: Writer, item: unknown, { field, textOf }: Column): unknown {
  const value = pick(item, field.split('.'))
  return textOf ? textsOf(hideInside(value, out.hide), textOf, longestValue) : value
}

/** The longest value in a text of several, in UTF-16 code units. */
const longestValue = 60

/**
 * Prints a table that fits the terminal. Columns are as wide as the first page needs, and shrink if that is too wide, those
 * that people copy last. Later pages keep the widths, so that a long list is printed as it arrives, unless a column
 * that people copy would be cut. If there are more columns than fit, each item is a card.
 */
export async function printTable(
  out: Writer,
  wanted: readonly Column[],
  pages: Pages,
  empty: string | undefined,
): Promise<void> {
  let columns: readonly Column[] = wanted.filter(({ isBelow }) => !isBelow)
  const below = wanted.filter(({ isBelow }) => isBelow)
  let widths: readonly number[] | undefined
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    if (!widths) columns = roomyColumns(out, columns, page)
    const headers = columns.map(header)
    const rows = page.map(item => columns.map(column => cellOf(out, item, column)))
    const isCut = (width: number, index: number) =>
      columns[index]?.isCutLast && rows.some(row => widthOf(row[index] ?? '') > width)
    if (!widths || widths.some(isCut)) widths = widthsFor(columns, headers, rows, out.width)
    if (widths.some(width => width < minWidth)) {
      for (const item of page) {
        if (!isFirst) await out.write('\n')
        await printCard(out, [...columns, ...below], item)
        isFirst = false
      }
    } else {
      const head = isFirst ? `${out.paint('bold', layOut(out, [headers], columns, widths))}\n` : ''
      const lines = colourStates(out, layOut(out, rows, columns, widths)).split('\n')
      const text = lines.map((line, index) => [line, ...linesBelow(out, below, page[index])].join('\n'))
      await out.styled(`${head}${text.join('\n')}\n`)
    }
    isFirst = false
    if (out.isClosed) return
  }
  if (isFirst && empty) await out.write(`${empty}\n`)
}

/** What is shown of an item below its row; a list has a line for each value. */
const linesBelow = (out: Writer, columns: readonly Column[], item: unknown): string[] =>
  columns.flatMap(column => {
    const value = shownValue(out, item, column)
    const cells = (Array.isArray(value) ? value : [value]).map(each => human(each, column.kind, out.hide))
    return cells.filter(Boolean).map(cell => {
      const text = column.label === undefined ? cell : `${column.label}: ${cell}`
      return linked(out, wrap(`  ${text}`, out.width, '    ', widthOf), cell)
    })
  })

/** Prints a line for each field of an item that has a value. */
export async function printCard(out: Writer, columns: readonly Column[], item: unknown): Promise<void> {
  const lines = columns
    .map(column => [header(column).toLowerCase(), cellOf(out, item, column)] as const)
    .filter(([, value]) => value !== '')
  const label = Math.max(0, ...lines.map(([name]) => name.length)) + gap
  const indent = ' '.repeat(label)
  const besideLabel = (value: string) => wrap(indent + value, out.width, indent, widthOf).slice(label)
  const text = lines.map(
    ([name, value]) =>
      `${out.paint('dim', name.padEnd(label))}${colourStates(out, linked(out, besideLabel(value), value))}\n`,
  )
  await out.styled(text.join('') || 'There is nothing to show.\n')
}

/** A value in lines, each of them a link to the whole of it. */
const linked = (out: Writer, lines: string, value: string): string =>
  lines.replace(/\S.*/g, line => out.link(line, value))

/** The smallest useful width of a column. */
const minWidth = 3
/** The width of a date without time. */
const dayWidth = 10

/** Which columns shrink, and to what width, one step after the other until the table fits. */
const steps: readonly {
  least: (column: Column, values: number, header: number) => number
  mayShrink: (column: Column, index: number) => boolean
}[] = [
  { least: (_, __, header) => Math.max(header, dayWidth), mayShrink: ({ kind }) => kind === 'date' },
  {
    least: (_, __, header) => Math.max(header, comfortable),
    mayShrink: ({ isCutLast, isMain }) => !isCutLast && !isMain,
  },
  { least: (_, __, header) => Math.max(header, comfortable), mayShrink: ({ isCutLast }) => !isCutLast },
  { least: (_, __, header) => Math.max(header, 8), mayShrink: ({ isCutLast }) => !isCutLast },
  { least: (_, values) => Math.max(values, 6), mayShrink: ({ kind }) => kind !== 'date' },
  { least: () => 8, mayShrink: ({ isCutLast }) => !isCutLast },
  { least: () => 6, mayShrink: ({ isCutLast }) => !isCutLast },
  { least: ({ kind }) => (kind === 'date' ? dayWidth : 6), mayShrink: (_, index) => index > 0 },
  { least: () => minWidth, mayShrink: (_, index) => index > 0 },
  { least: () => minWidth - 1, mayShrink: () => true },
]

/** Minor columns are left out if a text column that needs it would get less than this width. */
const comfortable = 15
/** The same for the column that people recognise a row by. */
const comfortableMain = 30

/** The columns without the minor ones that have no room: those are left out, the last one first. */
function roomyColumns(out: Writer, columns: readonly Column[], page: readonly unknown[]): readonly Column[] {
  const rows = page.map(item => columns.map(column => cellOf(out, item, column)))
  const headers = columns.map(header)
  const widths = widthsFor(columns, headers, rows, out.width)
  const isCramped = columns.some(({ isCutLast, isMain }, index) => {
    const values = isCutLast ? 0 : largestOf(rows, row => widthOf(row[index] ?? ''))
    const wanted = isMain ? comfortableMain : comfortable
    return (widths[index] as number) < Math.max(widthOf(headers[index] ?? ''), Math.min(wanted, values))
  })
  const last = columns.findLastIndex(({ isMinor }) => isMinor)
  return isCramped && last !== -1 ? roomyColumns(out, columns.toSpliced(last, 1), page) : columns
}

/** The width of each column in terminal cells, so that the table fits. A width below `minWidth` means that it cannot fit. */
function widthsFor(
  columns: readonly Column[],
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const values = columns.map((_, index) => largestOf(rows, row => widthOf(row[index] ?? '')))
  const widths = headers.map((text, index) => Math.max(minWidth, widthOf(text), values[index] as number))
  let excess = widths.reduce((sum, each) => sum + each + gap, -gap) - width
  for (const { least, mayShrink } of steps) {
    const floors = columns.map((column, index) =>
      mayShrink(column, index)
        ? least(column, values[index] as number, widthOf(headers[index] ?? ''))
        : Number.POSITIVE_INFINITY,
    )
    const shrinkable = () =>
      widths.flatMap((each, index) => (each > (floors[index] as number) ? [index] : []))
    for (let may = shrinkable(); excess > 0 && may.length > 0; may = shrinkable()) {
      const widest = may.reduce((a, b) => ((widths[b] as number) > (widths[a] as number) ? b : a))
      const next = Math.max(0, ...may.filter(index => index !== widest).map(index => widths[index] as number))
      const room = (widths[widest] as number) - Math.max(next, floors[widest] as number)
      const less = Math.min(excess, Math.max(1, room))
      widths[widest] = (widths[widest] as number) - less
      excess -= less
    }
  }
  return widths
}

/** The rows as lines. */
function layOut(
  out: Writer,
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  widths: readonly number[],
): string {
  const colWidths = widths.map(width => width + gap)
  const lines: string[] = []
  for (let start = 0; start < rows.length; start += rowsOfCell) {
    const some = rows.slice(start, start + rowsOfCell)
    const table = new Table({ ...bare, colWidths })
    table.push(
      widths.map((width, index) =>
        // A link that was cut still leads to the whole address.
        some.map(({ [index]: cell = '' }) => out.link(fitted(cell, columns[index], width), cell)).join('\n'),
      ),
    )
    lines.push(...table.toString().split('\n'))
  }
  return lines.map(line => line.trimEnd()).join('\n')
}

/**
 * How many rows are the lines of one tall cell in each column: cli-table3 takes as long for the options of a cell as for ten
 * lines of it. It also measures all lines of a cell for each of them, so there are not more.
 */
const rowsOfCell = 10

const sides = ['top', 'bottom', 'left', 'right', 'mid', 'middle']
const corners = ['top', 'bottom'].flatMap(side => [`${side}-mid`, `${side}-left`, `${side}-right`])

/** A table without lines between its cells. They fit their columns before they are in it, so it never cuts one. */
const bare = {
  chars: Object.fromEntries(
    [...sides, ...corners, 'left-mid', 'mid-mid', 'right-mid'].map(name => [name, '']),
  ),
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
  // For messages that nobody sees, it cuts all cells to ten places, one character after the other, unless this fills them.
  truncate: ' '.repeat(10),
}

/** A cell cut to the width of its column. A date loses its time first. */
const fitted = (cell: string, column: Column | undefined, width: number): string =>
  column?.kind === 'date' && widthOf(cell) > width && width >= dayWidth && /^\d{4}-\d\d-\d\d /.test(cell)
    ? cell.slice(0, dayWidth)
    : column?.isPath
      ? shortenStart(cell, width)
      : shorten(cell, width)

const colours = {
  available: 'green',
  live: 'green',
  active: 'green',
  uploaded: 'green',
  upload_pending: 'yellow',
  inactive: 'dim',
  archived: 'dim',
  upload_quarantine: 'red',
  upload_failed: 'red',
  failed: 'red',
} as const

/** Colours the states of the service where they are whole cells. */
const colourStates = (out: Writer, text: string): string =>
  out.hasColour
    ? text.replace(/(?<=^| {2})[a-z_]+(?= {2,}|$)/gm, word =>
        Object.hasOwn(colours, word) ? out.paint(colours[word as keyof typeof colours], word) : word,
      )
    : text
