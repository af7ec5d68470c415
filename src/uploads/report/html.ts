import { basename } from 'node:path'
import { dayLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, contents, figures, plainList, table } from '../../pages/parts.ts'
import { countsOf, isFailed, outcomes, type Receipt, receiptName } from '../receipt.ts'

/** The receipts of a batch as a self-contained page: what failed, and then the others. */
export function htmlReport(
  receipts: readonly Receipt[],
  { now, version }: { now: number; version: string },
): string {
  const failed = receipts.filter(isFailed)
  const sections = [
    {
      id: 'failed',
      title: 'To look into',
      caption: 'These failed, or need a decision.',
      receipts: failed,
    },
    {
      id: 'done',
      title: 'Done',
      caption: 'These went well.',
      receipts: receipts.filter(receipt => !isFailed(receipt)),
    },
  ]
    .filter(section => section.receipts.length > 0)
    .map(section => ({ ...section, count: section.receipts.length }))
  const counts = countsOf(receipts)
  const day = dayLabel(new Date(now).toISOString().slice(0, 10))
  return page({
    title: 'Upload receipt',
    lead: html`What became of ${receipts.length.toLocaleString('en')} ${receipts.length === 1 ? 'book' : 'books'} on ${day}.`,
    body: html`${figures(
      outcomes.flatMap(outcome =>
        counts[outcome] > 0 || outcome === 'uploaded' ? [{ label: outcome, value: counts[outcome] }] : [],
      ),
    )}
${contents('Groups of books', sections)}
${sections.map(
  ({
    id,
    title,
    caption,
    count,
    receipts: own,
  }) => html`<section><h2 id="${id}">${title} (${count.toLocaleString('en')})</h2>
${table(
  { name: title, caption },
  [{ title: 'Book', size: 'large' }, { title: 'Outcome' }, { title: 'Publication', size: 'medium' }],
  own.map(rowOf),
)}</section>`,
)}`,
    footer: html`Made by pubctl ${version}.`,
  })
}

function rowOf(receipt: Receipt): PageValue[] {
  const { outcome, why, warnings, publicationId, uploadStatus, error } = receipt
  const remarks = [error?.message ?? why ?? '', ...warnings.map(({ message }) => message)].filter(Boolean)
  const state = html`${badge(isFailed(receipt) ? 'bad' : 'good', outcome)} ${uploadStatus ?? ''}`
  return [bookCell(receipt), plainList([state, ...remarks]), publicationId ?? '']
}

/** The name of the file, and below it where it is. */
function bookCell(receipt: Receipt): Html {
  const name = receiptName(receipt)
  if (receipt.file === null || basename(name) === name) return html`<bdi>${cutValue(name)}</bdi>`
  return html`<bdi>${cutValue(basename(name))}</bdi><span class="file">${cutValue(name)}</span>`
}
