import { plain } from './cell.ts'
import { pick } from './fields.ts'
import { neutralise } from './neutralise.ts'
import type { Column, Pages } from './view.ts'
import type { Writer } from './writer.ts'

const textOf = (item: unknown, { field }: Column): string => plain(pick(item, field.split('.')))

/** Escapes tabs, line feeds and backslashes as `\t`, `\n` and `\\`, so that each item is one line. */
const escapeTsv = (text: string): string =>
  neutralise(
    text
      .replace(/\\/g, '\\\\')
      .replace(/\t/g, '\\t')
      .replace(/\r?\n|\r/g, '\\n'),
  )

/** Prints tab-separated lines without a header: what a pipe gets instead of a table. */
export async function printTsv(out: Writer, columns: readonly Column[], pages: Pages): Promise<void> {
  for await (const page of pages) {
    const rows = page.map(item => columns.map(column => escapeTsv(textOf(item, column))).join('\t'))
    await out.escaped(rows.map(row => `${row}\n`).join(''))
    if (out.isClosed) return
  }
}
