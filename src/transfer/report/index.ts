import { extname } from 'node:path'
import { UsageFailure } from '../../errors.ts'
import { escapeFormula } from '../../formula.ts'
import { checkWritable, writeFile } from '../../system/write-file.ts'
import type { Receipt } from '../receipt.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import { type Guard, printable } from './text.ts'

type Format = (receipts: readonly Receipt[], guard: Guard) => Promise<string> | string

const formats: Readonly<Record<string, Format>> = {
  '.json': (receipts, { neutraliseJson }) => `${neutraliseJson(JSON.stringify(receipts, undefined, 2))}\n`,
  '.csv': async (receipts, guard) => {
    const { stringify } = await import('csv-stringify/sync')
    const rows = receipts.map(({ error, warnings, ...receipt }) => ({
      ...receipt,
      warnings: warnings.map(({ message }) => message).join('\n'),
      error: error?.message ?? '',
    }))
    return stringify(rows, {
      header: true,
      cast: { string: text => escapeFormula(printable(text, guard)) },
    })
  },
  '.xml': junitReport,
  '.html': htmlReport,
}

/** Checks that a report of this name can be written. */
export function checkReport(path: string): void {
  if (!Object.hasOwn(formats, extname(path).toLowerCase())) {
    throw new UsageFailure(`no report can be written as ${path}`, {
      hint: `Its name ends in ${Object.keys(formats).join(', ')}; .xml is JUnit's form.`,
    })
  }
  checkWritable(path)
}

/** Writes the receipts in the format of the file's extension. */
export async function writeReport(path: string, receipts: readonly Receipt[], guard: Guard): Promise<void> {
  const format = formats[extname(path).toLowerCase()] as Format
  writeFile(path, await format(guard.hide(receipts), guard), { isPrivate: false, isDurable: true })
}
