import { basename } from 'node:path'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, contents, figures, plainList, table } from '../../pages/parts.ts'
import { timeLabel } from '../../pages/time-label.ts'
import { checkersSentence } from '../../system/checked-by.ts'
import { countsOf, endOf, ends, isFailed, type Receipt, receiptName } from '../receipt.ts'
import type { ReportFacts } from './report-facts.ts'

/** The receipts of a batch as a self-contained page: what failed, and then the others. */
export function htmlReport(
  receipts: readonly Receipt[],
  { now, version, command, target, scopeId }: ReportFacts,
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
  return page({
    title: 'Upload receipt',
    lead: html`What happened to ${receipts.length.toLocaleString('en')} ${receipts.length === 1 ? 'book' : 'books'} on ${timeLabel(now)}, at ${target}${scopeId === null ? '' : html`, for the organisation ${scopeId}`}.`,
    body: html`${figures(
      ends.flatMap(end =>
        counts[end] > 0 || end === 'uploaded' ? [{ label: end, value: counts[end] }] : [],
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
    footer: html`Made by pubctl ${version} with <code>pubctl ${command}</code>.`,
  })
}

/** What the upload statuses of the service say to people; others are shown as they are. */
const statusWords: Readonly<Record<string, string>> = {
  upload_pending: 'not sent yet',
  uploaded: 'waiting for the scan',
  available: 'available',
  upload_quarantine: 'quarantined by the scan',
  upload_failed: 'could not be processed',
}

function rowOf(receipt: Receipt): PageValue[] {
  const { why, warnings, publicationId, uploadStatus, error } = receipt
  const state = html`${badge(isFailed(receipt) ? 'bad' : 'good', endOf(receipt))} ${statusWords[uploadStatus ?? ''] ?? uploadStatus ?? ''}`
  const remarks = [
    ...[error?.message ?? why, ...(error?.details ?? []).map(({ message }) => message), error?.hint],
    ...warnings.flatMap(({ message, hint }) => [message, hint]),
    ...checkersSentence([receipt]),
  ].filter(remark => remark)
  return [bookCell(receipt), plainList([state, ...(remarks as string[])]), publicationId ?? '']
}

/** The title, the authors and the file; what has no title is called by its file, with its folder below. */
function bookCell(receipt: Receipt): Html {
  const { title, author, file } = receipt
  const name = receiptName(receipt)
  const by = author === null || author.length === 0 ? undefined : small(author.join(', '))
  if (title !== null) return html`<bdi>${cutValue(title)}</bdi>${by}${small(name)}`
  const isElsewhere = file !== null && basename(name) !== name
  return html`<bdi>${cutValue(isElsewhere ? basename(name) : name)}</bdi>${by}${isElsewhere ? small(name) : undefined}`
}

const small = (text: string): Html => html`<span class="file"><bdi>${cutValue(text)}</bdi></span>`
