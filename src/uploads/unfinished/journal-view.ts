import type { View } from '../../cli/output/view.ts'

/** The columns of unfinished uploads. */
export const journalView: View = {
  columns: [
    { field: 'uploadRequestId', isCutLast: true },
    { field: 'file', isPath: true },
    { field: 'bytes', kind: 'bytes', isMinor: true },
    { field: 'stage' },
    { field: 'uploadStatus', isMinor: true },
    { field: 'changedAtIso', kind: 'date', isMinor: true },
    { field: 'errorMessage', label: 'error' },
  ],
  fields: () =>
    new Set(
      `uploadRequestId target scopeId file bytes modified sha256 cover editionOf stage publicationId editionId uploadStatus
       errorCode errorMessage title startedAtIso changedAtIso`.split(/\s+/),
    ),
  empty: 'There are no unfinished uploads.',
}
