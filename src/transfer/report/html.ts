import { html } from '../../output/page/html.ts'
import { page } from '../../output/page/page.ts'
import { badge, plainList, table } from '../../output/page/parts.ts'
import { isFailed, nameOf, type Receipt, tallyOf } from '../receipt.ts'

/** A self-contained page. */
export function htmlReport(receipts: readonly Receipt[]): string {
  const rows = receipts.map(receipt => {
    const { outcome, why, warnings, publicationId, uploadStatus, error } = receipt
    const remarks = [error?.message ?? why ?? '', ...warnings.map(({ message }) => message)].filter(Boolean)
    return [
      nameOf(receipt),
      badge(isFailed({ outcome, error }) ? 'bad' : 'good', outcome),
      uploadStatus ?? '',
      publicationId ?? '',
      plainList(remarks),
    ]
  })
  return page({
    title: 'Upload receipt',
    lead: html`${tallyOf(receipts)}`,
    body: html`${table(
      { name: 'Files', caption: 'What became of each file.' },
      ['File', 'Outcome', 'State', 'Publication', 'Remarks'].map(title => ({ title })),
      rows,
    )}`,
  })
}
