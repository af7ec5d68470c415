import { differencesColumn } from './difference-text.ts'
import type { View } from './view.ts'

/** How `--dry-run` shows the requests that were not sent. */
export const requestView: View = {
  columns: [{ field: 'method', isCutLast: true }, { field: 'url', isCutLast: true }, { field: 'body' }],
  fields: () => new Set(['method', 'url', 'body', 'body.*', 'checkedBy', 'checkedBy.*']),
  empty: 'There is nothing to send.',
}

/** How `--dry-run` shows the steps of an upload. At a terminal, their requests follow below. */
export const stepView: View = {
  columns: [
    { field: 'title', isMain: true },
    { field: 'file', isPath: true },
    { field: 'action', isCutLast: true },
    { field: 'publicationId', isCutLast: true },
    { field: 'requests.method', label: 'requests', isMinor: true },
    { field: 'why', isBelow: true },
    differencesColumn,
    { field: 'hint', label: 'To do', isBelow: true },
  ],
  fields: () =>
    new Set(
      `key action why hint file sha256 bytes type title publicationId editionId proof fields differences
       differences.field differences.there differences.wanted differences.sent before before.* send send.* cover
       uploadRequestId warnings warnings.* checkedBy checkedBy.* from from.* uploadStatus editionOf requests requests.method requests.url
       requests.body requests.body.*`.split(/\s+/),
    ),
  empty: 'There is nothing to do.',
}
