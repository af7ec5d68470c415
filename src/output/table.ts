import Table from 'cli-table3'
import stringWidth from 'string-width'
import { human } from './cell.ts'
import { pick } from './fields.ts'
import { type Column, header } from './view.ts'
import type { Writer } from './writer.ts'

type Pages = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>

const gap = 2
const narrowest = 6
const bare = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap(side => [
      side,
      `${side}-mid`,
      `${side}-left`,
      `${side}-right`,
      `mid-mid`,
      'left-mid',
      'right-mid',
    ])
    .map(side => [side, '']),
)

const cellOf = (item: unknown, { field, kind }: Column): string => human(pick(item, field.split('.')), kind)

/**
 * A table that fits the terminal: columns are as wide as the first page needs, and where that is too wide the widest
 * give way, but for those a person copies. Later pages keep the widths, so that a long list shows as it arrives.
 */
export async function printTable(
  out: Writer,
  columns: readonly Column[],
  pages: Pages,
  empty: string,
): Promise<void> {
  let widths: number[] | undefined
  for await (const page of pages) {
    if (page.length === 0) continue
    const rows = page.map(item => columns.map(column => cellOf(item, column)))
    const isFirst = widths === undefined
    widths ??= widthsFor(columns, [columns.map(({ field }) => header(field)), ...rows], out.width)
    const lines = layOut(rows, widths)
    const head = isFirst
      ? `${out.paint('bold', layOut([columns.map(({ field }) => header(field))], widths))}\n`
      : ''
    await out.styled(`${head}${colourStates(out, lines)}\n`)
    if (out.isClosed) return
  }
  if (!widths) await out.write(`${empty}\n`)
}

/** One resource, a line a field; fields that the service left out are left out. */
export async function printCard(out: Writer, columns: readonly Column[], item: unknown): Promise<void> {
  const lines = columns
    .map(column => [header(column.field).toLowerCase(), cellOf(item, column)] as const)
    .filter(([, value]) => value !== '')
  const label = Math.max(0, ...lines.map(([name]) => name.length)) + gap
  const text = lines.map(
    ([name, value]) => `${out.paint('dim', name.padEnd(label))}${colourStates(out, value)}\n`,
  )
  await out.styled(text.join(''))
}

/** How wide each column may be, in terminal cells, so that all fit into the width. */
function widthsFor(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): number[] {
  const widths = columns.map((_, index) => Math.max(...rows.map(row => stringWidth(row[index] ?? ''))))
  const room = width - gap * (columns.length - 1)
  for (let excess = widths.reduce((sum, each) => sum + each, 0) - room; excess > 0; excess--) {
    let widest = -1
    for (const [index, each] of widths.entries()) {
      if (columns[index]?.isWhole || each <= narrowest) continue
      if (widest === -1 || each > (widths[widest] as number)) widest = index
    }
    if (widest === -1) break
    widths[widest] = (widths[widest] as number) - 1
  }
  return widths
}

function layOut(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const table = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: widths.map((width, index) => (index === widths.length - 1 ? width : width + gap)),
  })
  table.push(...rows.map(row => row.map((cell, index) => shorten(cell, widths[index] as number))))
  return table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}

const segmenter = new Intl.Segmenter()

/** Text cut to a width in terminal cells, wide characters and emoji counted as two; what was cut shows as "…". */
export function shorten(text: string, width: number): string {
  if (text.length <= width / 2 || stringWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += stringWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

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
        word in colours ? out.paint(colours[word as keyof typeof colours], word) : word,
      )
    : text
