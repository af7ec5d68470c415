import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../formula.ts'
import { plain } from './cell.ts'
import { pick } from './fields.ts'
import { neutralise } from './neutralise.ts'
import type { Column, Pages } from './view.ts'
import type { Writer } from './writer.ts'

/** A value as a CSV cell. It may have several lines, and is never a formula. */
function csvCell(value: unknown): string {
  const text = typeof value === 'number' ? plain(value) : escapeFormula(plain(value))
  return neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
}

/** Prints CSV with a header row, which comes with the first page: nothing is printed when there is none. */
export async function printCsv(out: Writer, columns: readonly Column[], pages: Pages): Promise<void> {
  const header = stringify([columns.map(({ field }) => csvCell(field))])
  let isFirst = true
  for await (const page of pages) {
    const rows = page.map(item => columns.map(({ field }) => csvCell(pick(item, field.split('.')))))
    await out.escaped((isFirst ? header : '') + stringify(rows))
    isFirst = false
    if (out.isClosed) return
  }
  if (isFirst) await out.escaped(header)
}
