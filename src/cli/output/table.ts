import Table from 'cli-table3'
import { human } from './cell.ts'
import {
  comfortable,
  comfortableMain,
  dayWidth,
  gap,
  minWidth,
  narrowed,
  totalOf,
  widthsFor,
} from './column-widths.ts'
import { pick } from './fields.ts'
import { hideInside } from './secrets.ts'
import { type Column, header, type Pages, textsOf } from './view.ts'
import { largestOf, shorten, shortenStart, widthOf } from './width.ts'
import { wrap } from './wrap.ts'
import type { Writer } from './writer.ts'

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
 * that people copy last. Later pages keep the widths, so that a long list is printed as it arrives; a longer value that people
 * copy moves the rest of its row. If there are more columns than fit, each item is a card. Returns the headers of the
 * columns that were left out.
 */
export async function printTable(
  out: Writer,
  wanted: readonly Column[],
  pages: Pages,
  empty: string | undefined,
): Promise<readonly string[]> {
  const beside = wanted.filter(({ isBelow }) => !isBelow)
  const below = wanted.filter(({ isBelow }) => isBelow)
  let columns: readonly Column[] = beside
  let widths: readonly number[] | undefined
  /** Which columns are wide enough for what people copy, so that a later value is not cut either. */
  let complete: readonly boolean[] = []
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    if (!widths) columns = roomyColumns(out, columns, page)
    const headers = columns.map(header)
    const rows = page.map(item => columns.map(column => cellOf(out, item, column)))
    if (!widths) {
      widths = widthsFor(columns, headers, rows, out.width)
      complete = columns.map(
        ({ isCutLast }, index) =>
          isCutLast === true && largestOf(rows, row => widthOf(row[index] ?? '')) <= (widths?.[index] ?? 0),
      )
    }
    if (widths.some(width => width < minWidth)) {
      for (const item of page) {
        if (!isFirst) await out.write('\n')
        await printCard(out, [...columns, ...below], item)
        isFirst = false
      }
    } else {
      const head = isFirst ? `${out.paint('bold', layOut(out, [headers], columns, widths, []))}\n` : ''
      const lines = colourStates(out, layOut(out, rows, columns, widths, complete)).split('\n')
      const text = lines.map((line, index) => [line, ...linesBelow(out, below, page[index])].join('\n'))
      await out.styled(`${head}${text.join('\n')}\n`)
    }
    isFirst = false
    if (out.isClosed) break
  }
  if (isFirst && empty) await out.write(`${empty}\n`)
  return beside.filter(column => !columns.includes(column)).map(header)
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
  // An id that is longer than the room beside its label stands below it, so that the terminal does not break it.
  const isTooLong = (value: string) => !/\s/.test(value) && label + widthOf(value) > out.width
  const text = lines.map(([name, value]) =>
    isTooLong(value)
      ? `${out.paint('dim', name)}\n  ${out.link(value, value)}\n`
      : `${out.paint('dim', name.padEnd(label))}${colourStates(out, linked(out, besideLabel(value), value))}\n`,
  )
  await out.styled(text.join('') || 'There is nothing to show.\n')
}

/** A value in lines, each of them a link to the whole of it. */
const linked = (out: Writer, lines: string, value: string): string =>
  lines.replace(/\S.*/g, line => out.link(line, value))

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

/** The rows as lines. A longer value of a column that is `complete` takes the room that it needs in its row. */
function layOut(
  out: Writer,
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  widths: readonly number[],
  complete: readonly boolean[],
): string {
  const widthsIn = (row: readonly string[]): readonly number[] => {
    const own = widths.map((width, index) =>
      complete[index] ? Math.max(width, widthOf(row[index] ?? '')) : width,
    )
    const excess = totalOf(own) - Math.max(out.width, totalOf(widths))
    if (excess <= 0) return own
    return narrowed(own, columns, excess) ?? widthsFor(columns, [], [row], out.width)
  }
  const lines: string[] = []
  for (const some of alike(rows, widthsIn)) {
    const table = new Table({ ...bare, colWidths: some.widths.map(width => width + gap) })
    table.push(
      some.widths.map((width, index) =>
        // A link that was cut still leads to the whole address.
        some.rows
          .map(({ [index]: cell = '' }) => out.link(fitted(cell, columns[index], width), cell))
          .join('\n'),
      ),
    )
    lines.push(...table.toString().split('\n'))
  }
  return lines.map(line => line.trimEnd()).join('\n')
}

/** Rows of the same widths that follow each other, a few at a time. */
function* alike(
  rows: readonly (readonly string[])[],
  widthsOf: (row: readonly string[]) => readonly number[],
): Generator<{ readonly rows: readonly (readonly string[])[]; readonly widths: readonly number[] }> {
  let some: (readonly string[])[] = []
  let widths: readonly number[] = []
  for (const row of rows) {
    const wanted = widthsOf(row)
    if (some.length === rowsOfCell || wanted.some((width, index) => width !== widths[index])) {
      if (some.length > 0) yield { rows: some, widths }
      some = []
    }
    widths = wanted
    some.push(row)
  }
  if (some.length > 0) yield { rows: some, widths }
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
  processing: 'yellow',
  inactive: 'dim',
  archived: 'dim',
  upload_quarantine: 'red',
  upload_failed: 'red',
  failed: 'red',
  interrupted: 'red',
} as const

/** Colours the states of the service where they are whole cells. */
const colourStates = (out: Writer, text: string): string =>
  out.hasColour
    ? text.replace(/(?<=^| {2})[a-z_]+(?= {2,}|$)/gm, word =>
        Object.hasOwn(colours, word) ? out.paint(colours[word as keyof typeof colours], word) : word,
      )
    : text
