import { plain } from './cell.ts'
import { pick } from './fields.ts'
import { neutralise } from './neutralise.ts'
import type { Column, Pages } from './view.ts'
import type { Writer } from './writer.ts'

const textOf = (item: unknown, { field }: Column): string => plain(pick(item, field.split('.')))

/** Tab, line feed and backslash as `\t`, `\n` and `\\`, so that a line is always one item. */
const tabSafe = (text: string): string =>
  neutralise(
    text
      .replace(/\\/g, '\\\\')
      .replace(/\t/g, '\\t')
      .replace(/\r?\n|\r/g, '\\n'),
  )

/** Tab-separated lines without a header: what a pipe gets of a table. */
export async function tabSeparated(out: Writer, columns: readonly Column[], pages: Pages): Promise<void> {
  for await (const page of pages) {
    const rows = page.map(item => columns.map(column => tabSafe(textOf(item, column))).join('\t'))
    await out.escaped(rows.map(row => `${row}\n`).join(''))
    if (out.isClosed) return
  }
}
