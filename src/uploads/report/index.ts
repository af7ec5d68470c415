import { extname } from 'node:path'
import { checkedByText } from '../../system/checked-by.ts'
import { csvMark } from '../../system/csv-mark.ts'
import { UsageFailure } from '../../system/errors.ts'
import { escapeFormula } from '../../system/formula.ts'
import { nameOther } from '../../system/name-other.ts'
import { checkWritable, writeLines } from '../../system/write-file.ts'
import type { Receipt } from '../receipt.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import type { ReportFacts } from './report-facts.ts'
import { type Guard, printable } from './text.ts'

/** The text of a report, in pieces. */
type Format = (
  receipts: readonly Receipt[],
  guard: Guard,
  about: ReportFacts,
) => Promise<Iterable<string>> | Iterable<string>

const formats: Readonly<Record<string, Format>> = {
  '.json': (receipts, { neutraliseJson }, { head }) => [
    `${neutraliseJson(JSON.stringify(head ? { ...head, receipts } : receipts, undefined, 2))}\n`,
  ],
  *'.ndjson'(receipts, { neutraliseJson }, { head }) {
    const line = (value: unknown) => `${neutraliseJson(JSON.stringify(value))}\n`
    if (head) yield line({ ...head, receipts: receipts.length })
    for (const receipt of receipts) yield line(receipt)
  },
  '.csv': async (receipts, guard) => {
    const { stringify } = await import('csv-stringify/sync')
    const rows = receipts.map(({ error, warnings, checkedBy = [], author, ...receipt }) => ({
      ...receipt,
      author: author?.join('; ') ?? '',
      warnings: warnings.map(({ message }) => message).join('\n'),
      error: error?.message ?? '',
      hint: error?.hint ?? '',
      exitCode: error?.exitCode ?? (error ? '' : 0),
      checkedBy: checkedBy.map(checkedByText).join('; '),
    }))
    return [
      csvMark,
      stringify(rows, {
        header: true,
        cast: { string: text => escapeFormula(printable(text, guard)) },
      }),
    ]
  },
  '.xml': receipts => [junitReport(receipts)],
  '.html': (receipts, _, about) => [htmlReport(receipts, about)],
}

const formatOf = (path: string): Format | undefined =>
  Object.hasOwn(formats, extname(path).toLowerCase()) ? formats[extname(path).toLowerCase()] : undefined

/** Checks that a report of this name can be written. */
export function checkReport(path: string): void {
  if (formatOf(path) === undefined) {
    throw new UsageFailure(`no report can be written as ${path}`, {
      hint: `Its name ends in ${Object.keys(formats).join(', ')}; .xml is JUnit's form.`,
    })
  }
  checkWritable(path)
}

/** Writes the receipts in the format of the file's extension. */
export async function writeReport(
  path: string,
  receipts: readonly Receipt[],
  guard: Guard,
  about: ReportFacts,
): Promise<void> {
  const lines = await (formatOf(path) as Format)(guard.hide(receipts), guard, guard.hide(about))
  writeLines(path, lines, { isPrivate: false, isDurable: true, nameOther })
}
