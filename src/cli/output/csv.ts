import { stringify } from 'csv-stringify/sync'
import { csvMark } from '../../system/csv-mark.ts'
import { escapeFormula } from '../../system/formula.ts'
import { pick } from './fields.ts'
import { neutralise } from './neutralise.ts'
import { type Column, type Pages, wholeText } from './view.ts'
import type { Writer } from './writer.ts'

/** A value as a CSV cell. It may have several lines, and is never a formula. */
function csvCell(value: unknown, column: Pick<Column, 'textOf'> = {}): string {
  const whole = wholeText(value, column)
  const text = typeof value === 'number' ? whole : escapeFormula(whole)
  return neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
}

const rowOf = (columns: readonly Column[], item: unknown): string[] =>
  columns.map(column => csvCell(pick(item, column.field.split('.')), column))

const headerOf = (columns: readonly Column[]): string[] => columns.map(({ field }) => csvCell(field))

/** The lines of a CSV file, with a header row. */
export function* csvLines(columns: readonly Column[], items: Iterable<unknown>): Generator<string> {
  yield csvMark + stringify([headerOf(columns)])
  for (const item of items) yield stringify([rowOf(columns, item)])
}

/** Prints CSV with a header row, which comes with the first page: nothing is printed when there is none. */
export async function printCsv(out: Writer, columns: readonly Column[], pages: Pages): Promise<void> {
  const header = stringify([headerOf(columns)])
  let isFirst = true
  for await (const page of pages) {
    const rows = page.map(item => rowOf(columns, item))
    await out.escaped((isFirst ? header : '') + stringify(rows))
    isFirst = false
    if (out.isClosed) return
  }
  if (isFirst) await out.escaped(header)
}
