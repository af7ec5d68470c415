import { extname } from 'node:path'
import { csvLines } from '../../cli/output/csv.ts'
import { neutraliseJson } from '../../cli/output/neutralise.ts'
import { UsageFailure } from '../../system/errors.ts'
import { checkWritable, writeLines } from '../../system/write-file.ts'
import { type About, accessibilityPage } from './html.ts'
import type { BookRow } from './rows.ts'
import { allColumns } from './view.ts'

const formats: Readonly<Record<string, (rows: readonly BookRow[], about: About) => Iterable<string>>> = {
  '.html': (rows, about) => [accessibilityPage(rows, about)],
  '.csv': rows => csvLines([...allColumns, { field: 'error.message' }], rows),
  '.json': jsonLines,
}

function* jsonLines(rows: readonly BookRow[]): Generator<string> {
  yield '['
  for (const [index, row] of rows.entries())
    yield `${index === 0 ? '\n' : ',\n'}${neutraliseJson(JSON.stringify(row))}`
  yield '\n]\n'
}

/** Checks that a report of this name can be written. Throws UsageFailure. */
export function checkAccessibilityReport(path: string): void {
  if (!Object.hasOwn(formats, extname(path).toLowerCase())) {
    throw new UsageFailure(`no report can be written as ${path}`, {
      hint: `Its name ends in ${Object.keys(formats).join(', ')}.`,
    })
  }
  checkWritable(path)
}

/** Writes the rows in the format of the file's extension. */
export function writeAccessibilityReport(path: string, rows: readonly BookRow[], about: About): void {
  const format = formats[extname(path).toLowerCase()] as (typeof formats)[string]
  writeLines(path, format(rows, about), { isPrivate: false, isDurable: true })
}
