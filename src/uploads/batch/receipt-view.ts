import { checkedByColumn } from '../../cli/output/checked-by-column.ts'
import type { View } from '../../cli/output/view.ts'
import type { Batch } from './options.ts'

export const receiptView: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'type', isMinor: true },
    { field: 'bytes', kind: 'bytes', isMinor: true },
    { field: 'publicationId', isCutLast: true },
    { field: 'editionId', isCutLast: true, isDetail: true },
    { field: 'uploadStatus', isMinor: true },
    { field: 'outcome' },
    { field: 'error.message', label: 'error' },
    { field: 'why', isMinor: true },
    { field: 'sha256', isDetail: true },
    { field: 'uploadRequestId', isDetail: true },
    { field: 'title', isMain: true, isFirst: true },
    checkedByColumn,
  ],
  fields: () =>
    new Set(
      'file title author sha256 bytes type publicationId editionId uploadRequestId uploadStatus outcome why warnings checkedBy checkedBy.* error error.code error.message error.hint error.exitCode error.batchExitCode'.split(
        ' ',
      ),
    ),
  empty: 'There was nothing to upload.',
}

/**
 * The columns of the receipts of a plan, whose steps have keys. A key is headed by what it is: the ISBN, or the metadata key
 * that books were matched by.
 */
const planReceiptViewOf = (match: string): View => ({
  ...receiptView,
  columns: [{ field: 'key', label: match, isCutLast: true }, ...receiptView.columns],
  fields: () => new Set(['key', ...receiptView.fields()]),
  empty: 'There is nothing to do.',
})

/** The columns where plans of any kind can be meant. */
export const planReceiptView: View = planReceiptViewOf('isbn')

export const viewOf = ({ plan }: Pick<Batch, 'plan'>): View =>
  plan ? planReceiptViewOf(plan.match) : receiptView
