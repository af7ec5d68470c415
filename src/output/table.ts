import { human } from './cell.ts'
import { pick } from './fields.ts'
import { type Column, header, type Pages } from './view.ts'
import { largestOf, pad, shorten, shortenStart, widthOf } from './width.ts'
import { wrap } from './wrap.ts'
import type { Writer } from './writer.ts'

/** Blanks between columns. */
const gap = 2

/** A cell without secrets: once it is cut to its column, what is left of one could not be told any more. */
const cellOf = (out: Writer, item: unknown, { field, kind }: Column): string =>
  human(pick(item, field.split('.')), kind, out.hide)

/**
 * A table that fits the terminal: columns are as wide as the first page needs, and where that is too wide they give
 * way, those that a person copies last. Later pages keep the widths, so that a long list shows as it arrives, unless
 * what a person copies would be cut. Where there are more columns than the terminal can hold, each item is a card.
 */
export async function printTable(
  out: Writer,
  wanted: readonly Column[],
  pages: Pages,
  empty: string,
): Promise<void> {
  let columns = wanted
  let widths: readonly number[] | undefined
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    if (!widths) columns = roomyColumns(out, columns, page)
    const headers = columns.map(header)
    const rows = page.map(item => columns.map(column => cellOf(out, item, column)))
    const isCut = (width: number, index: number) =>
      columns[index]?.isWhole && rows.some(row => widthOf(row[index] ?? '') > width)
    if (!widths || widths.some(isCut)) widths = widthsFor(columns, headers, rows, out.width)
    if (widths.some(width => width < narrowest)) {
      for (const item of page) {
        if (!isFirst) await out.write('\n')
        await printCard(out, columns, item)
        isFirst = false
      }
    } else {
      const head = isFirst ? `${out.paint('bold', layOut([headers], columns, widths))}\n` : ''
      await out.styled(`${head}${colourStates(out, layOut(rows, columns, widths))}\n`)
    }
    isFirst = false
    if (out.isClosed) return
  }
  if (isFirst && empty) await out.write(`${empty}\n`)
}

/** One resource, a line a field; fields that the service left out are left out. */
export async function printCard(out: Writer, columns: readonly Column[], item: unknown): Promise<void> {
  const lines = columns
    .map(column => [header(column).toLowerCase(), cellOf(out, item, column)] as const)
    .filter(([, value]) => value !== '')
  const label = Math.max(0, ...lines.map(([name]) => name.length)) + gap
  const indent = ' '.repeat(label)
  const besideLabel = (value: string) => wrap(indent + value, out.width, indent, widthOf).slice(label)
  const text = lines.map(
    ([name, value]) => `${out.paint('dim', name.padEnd(label))}${colourStates(out, besideLabel(value))}\n`,
  )
  await out.styled(text.join('') || 'There is nothing to show.\n')
}

/** Narrower than this, a column tells nothing. */
const narrowest = 3
/** A date without its time. */
const dayWidth = 10

/** Which columns give way, and how far, one step after the other until the table fits. */
const steps: readonly {
  least: (column: Column, values: number, header: number) => number
  mayShrink: (column: Column, index: number) => boolean
}[] = [
  { least: (_, __, header) => Math.max(header, dayWidth), mayShrink: ({ kind }) => kind === 'date' },
  {
    least: (_, __, header) => Math.max(header, comfortable),
    mayShrink: ({ isWhole, isMain }) => !isWhole && !isMain,
  },
  { least: (_, __, header) => Math.max(header, comfortable), mayShrink: ({ isWhole }) => !isWhole },
  { least: (_, __, header) => Math.max(header, 8), mayShrink: ({ isWhole }) => !isWhole },
  { least: (_, values) => Math.max(values, 6), mayShrink: ({ kind }) => kind !== 'date' },
  { least: () => 8, mayShrink: ({ isWhole }) => !isWhole },
  { least: () => 6, mayShrink: ({ isWhole }) => !isWhole },
  { least: ({ kind }) => (kind === 'date' ? dayWidth : 6), mayShrink: (_, index) => index > 0 },
  { least: () => narrowest, mayShrink: (_, index) => index > 0 },
  { least: () => narrowest - 1, mayShrink: () => true },
]

/** What a column of text should have at least, if it needs it, before another column is left out. */
const comfortable = 15
/** The same for the column by which a person recognises a row. */
const comfortableMain = 30

/** The columns that a table can show without cramping their texts or cutting a header: minor ones give way, the last one first. */
function roomyColumns(out: Writer, columns: readonly Column[], page: readonly unknown[]): readonly Column[] {
  const rows = page.map(item => columns.map(column => cellOf(out, item, column)))
  const headers = columns.map(header)
  const widths = widthsFor(columns, headers, rows, out.width)
  const isCramped = columns.some(({ isWhole, isMain }, index) => {
    const values = isWhole ? 0 : largestOf(rows, row => widthOf(row[index] ?? ''))
    const wanted = isMain ? comfortableMain : comfortable
    return (widths[index] as number) < Math.max(widthOf(headers[index] ?? ''), Math.min(wanted, values))
  })
  const last = columns.findLastIndex(({ isMinor }) => isMinor)
  return isCramped && last !== -1 ? roomyColumns(out, columns.toSpliced(last, 1), page) : columns
}

/** How wide each column may be, in terminal cells, so that all fit; one below the narrowest means that they cannot. */
function widthsFor(
  columns: readonly Column[],
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const values = columns.map((_, index) => largestOf(rows, row => widthOf(row[index] ?? '')))
  const widths = headers.map((text, index) => Math.max(narrowest, widthOf(text), values[index] as number))
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

/**
 * The rows as lines. cli-table3 would count the vowel signs of Hebrew, Arabic and Hindi, and newer emoji, otherwise than a
 * terminal does, so the columns are laid out here.
 */
const layOut = (
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  widths: readonly number[],
): string =>
  rows
    .map(row =>
      row
        .map((cell, index) => {
          const width = widths[index] as number
          return pad(fitted(cell, columns[index], width), width)
        })
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n')

/** A cell cut to its column; of a date, the time goes first. */
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

/** The service's states in the colours of a traffic light, wherever one stands as a word of its own. */
const colourStates = (out: Writer, text: string): string =>
  out.hasColour
    ? text.replace(/(?<=^| {2})[a-z_]+(?= {2,}|$)/gm, word =>
        Object.hasOwn(colours, word) ? out.paint(colours[word as keyof typeof colours], word) : word,
      )
    : text
