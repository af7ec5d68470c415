import { extname } from 'node:path'
import { csvLines } from '../cli/output/csv.ts'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import type { Column } from '../cli/output/view.ts'
import { UsageFailure } from '../system/errors.ts'
import { checkWritable, writeLines } from '../system/write-file.ts'
import type { About } from './about.ts'

type Format<Row> = (rows: readonly Row[], about: About) => Iterable<string>

/** Writes rows about books in the format that the extension of a file's name says: a page, CSV, JSON, or one of `others`. */
export function reportFile<Row extends object>(
  columns: readonly Column[],
  page: (rows: readonly Row[], about: About) => string,
  others: Readonly<Record<string, Format<Row>>> = {},
) {
  const formats: Readonly<Record<string, Format<Row>>> = {
    '.html': (rows, about) => [page(rows, about)],
    '.csv': rows => csvLines(columns, rows),
    '.json': jsonLines,
    ...others,
  }
  return {
    /** Throws UsageFailure if no report of this name can be written. */
    check(path: string): void {
      if (!Object.hasOwn(formats, extname(path).toLowerCase())) {
        throw new UsageFailure(`no report can be written as ${path}`, {
          hint: `Its name ends in ${Object.keys(formats).join(', ')}.`,
        })
      }
      checkWritable(path)
    },
    write(path: string, rows: readonly Row[], about: About): void {
      const format = formats[extname(path).toLowerCase()]
      if (format) writeLines(path, format(rows, about), { isPrivate: false, isDurable: true })
    },
  }
}

function* jsonLines(rows: readonly object[]): Generator<string> {
  yield '['
  for (const [index, row] of rows.entries())
    yield `${index === 0 ? '\n' : ',\n'}${neutraliseJson(JSON.stringify(row))}`
  yield '\n]\n'
}
