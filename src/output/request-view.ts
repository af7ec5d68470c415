import type { View } from './view.ts'

/** How `--dry-run` shows the requests that it did not send. */
export const requestView: View = {
  columns: [{ field: 'method', isWhole: true }, { field: 'url', isWhole: true }, { field: 'body' }],
  fields: () => new Set(['method', 'url', 'body', 'body.*']),
  empty: 'There is nothing to send.',
}
