import { extname } from 'node:path'
import { UsageFailure } from '../errors.ts'
import { escapeFormula } from '../formula.ts'
import { checkWritable, writeFile } from '../system/write-file.ts'
import { countsOf, hasFailed, type Receipt, tallyOf } from './receipt.ts'

/** What makes a report fit to be read. */
export interface Guard {
  /** Takes the secrets out of a value, whatever texts it is made of. */
  readonly hide: <T>(value: T) => T
  /** A text without characters that a terminal would obey, or that reorder or hide what stands around them. */
  readonly neutralise: (text: string) => string
  /** The same for JSON, which still parses to the same value. */
  readonly neutraliseJson: (json: string) => string
}

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
  '.xml': junit,
  '.html': page,
}

/** Checks, before anything is sent, that a report of this name can be written. */
export function checkReport(path: string): void {
  if (!Object.hasOwn(formats, extname(path).toLowerCase())) {
    throw new UsageFailure(`no report can be written as ${path}`, {
      hint: `Its name ends in ${Object.keys(formats).join(', ')}; .xml is JUnit's form.`,
    })
  }
  checkWritable(path)
}

/** Writes the receipts in the form that the file's name asks for. */
export async function writeReport(path: string, receipts: readonly Receipt[], guard: Guard): Promise<void> {
  const format = formats[extname(path).toLowerCase()] as Format
  writeFile(path, await format(guard.hide(receipts), guard), { isPrivate: false, isDurable: true })
}

/** A text as one that stands in a report. */
export const printable = (text: string, { neutralise }: Guard): string =>
  neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text fit for XML and HTML; characters that XML 1.0 cannot hold are replaced. */
const escaper =
  (guard: Guard) =>
  (text: string): string =>
    printable(text, guard)
      .replace(/[&<>"']/g, character => entities[character] as string)
      .replace(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')

/** JUnit's XML, which CI systems show as test results. */
function junit(receipts: readonly Receipt[], guard: Guard): string {
  const escaped = escaper(guard)
  const count = countsOf(receipts)
  const cases = receipts.map(({ file, outcome, why, error }) => {
    const inside =
      outcome === 'skipped'
        ? `<skipped${why === null ? '' : ` message="${escaped(why)}"`}/>`
        : !hasFailed({ outcome, error })
          ? ''
          : `<failure type="${escaped(error?.code ?? outcome)}" message="${escaped(error?.message ?? why ?? '')}"/>`
    return `    <testcase classname="pubctl.upload" name="${escaped(file)}">${inside}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl upload" tests="${receipts.length}" failures="${receipts.filter(hasFailed).length}" skipped="${count.skipped}">
${cases.join('')}  </testsuite>
</testsuites>
`
}

/** A page that stands alone and can be forwarded. */
function page(receipts: readonly Receipt[], guard: Guard): string {
  const escaped = escaper(guard)
  const rows = receipts.map(({ file, outcome, why, warnings, publicationId, uploadStatus, error }) => {
    const remarks = [error?.message ?? why ?? '', ...warnings.map(({ message }) => message)]
    return `<tr class="${hasFailed({ outcome, error }) ? 'failed' : 'done'}"><td>${[
      ...[file, outcome, uploadStatus, publicationId].map(value => escaped(value ?? '')),
      remarks.filter(Boolean).map(escaped).join('<br>'),
    ].join('</td><td>')}</td></tr>\n`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Upload receipt</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
.failed td:nth-child(2) { color: #b00020; font-weight: 600; }
.done td:nth-child(2) { color: #1b7f3b; }
</style>
<h1>Upload receipt</h1>
<p>${tallyOf(receipts)}</p>
<table>
<thead><tr><th>File<th>Outcome<th>State<th>Publication<th>Remarks</tr></thead>
<tbody>
${rows.join('')}</tbody>
</table>
</html>
`
}
