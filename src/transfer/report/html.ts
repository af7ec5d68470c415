import { isFailed, nameOf, type Receipt, tallyOf } from '../receipt.ts'
import { escaper, type Guard } from './text.ts'

/** A self-contained page. */
export function htmlReport(receipts: readonly Receipt[], guard: Guard): string {
  const escaped = escaper(guard)
  const rows = receipts.map(receipt => {
    const { outcome, why, warnings, publicationId, uploadStatus, error } = receipt
    const remarks = [error?.message ?? why ?? '', ...warnings.map(({ message }) => message)]
    return `<tr class="${isFailed({ outcome, error }) ? 'failed' : 'done'}"><td>${[
      ...[nameOf(receipt), outcome, uploadStatus, publicationId].map(value => escaped(value ?? '')),
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
