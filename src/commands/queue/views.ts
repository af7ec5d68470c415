import type { View } from '../../cli/output/view.ts'

export const retriedView: View = {
  columns: [{ field: 'retried', kind: 'count' }],
  fields: () => new Set(['retried']),
}

export const limitView: View = {
  columns: [{ field: 'limitPerSecond', label: 'limit per second' }],
  fields: () => new Set(['limitPerSecond']),
}
