import type { View } from './view.ts'

/** How `--dry-run` shows the requests that were not sent. */
export const requestView: View = {
  columns: [{ field: 'method', isWhole: true }, { field: 'url', isWhole: true }, { field: 'body' }],
  fields: () => new Set(['method', 'url', 'body', 'body.*']),
  empty: 'There is nothing to send.',
}

/** How `--dry-run` shows the steps of an upload. At a terminal, their requests follow below. */
export const stepView: View = {
  columns: [
    { field: 'action' },
    { field: 'file', isPath: true },
    { field: 'publicationId', isWhole: true },
    { field: 'why' },
    { field: 'requests.method', label: 'requests', isMinor: true },
  ],
  fields: () =>
    new Set(
      `action file key sha256 bytes type publicationId editionId uploadRequestId uploadStatus editionOf stage proof send send.*
       from from.* fields why hint requests requests.method requests.url requests.body requests.body.*`.split(
        /\s+/,
      ),
    ),
  empty: 'There is nothing to do.',
}
