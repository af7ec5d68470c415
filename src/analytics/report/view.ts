import type { View } from '../../cli/output/view.ts'
import { readFigures, scopeCounters } from './figures.ts'

const titleFields = [
  'rank',
  'publicationId',
  'title',
  'views',
  'change',
  'error',
  'error.code',
  'error.message',
]

/** The titles of a report as a table. */
export const titlesView: View = {
  columns: [
    { field: 'rank', isWhole: true },
    { field: 'publicationId', isMinor: true },
    { field: 'title', isMain: true },
    { field: 'totals.totalReads', label: 'reads', kind: 'count', isWhole: true },
    { field: 'change', kind: 'part' },
    { field: 'totals.averageReadTimeMs', label: 'average read time', kind: 'duration', isMinor: true },
    { field: 'totals.averageCompletion', kind: 'part', isMinor: true },
    { field: 'totals.completionRate', kind: 'part', isMinor: true },
    { field: 'views', kind: 'count', isMinor: true },
    { field: 'error.message', label: 'error' },
  ],
  fields: () =>
    new Set([
      ...titleFields,
      ...['totals', 'before', 'monthly'].flatMap(name => [
        name,
        ...readFigures.map(each => `${name}.${each}`),
      ]),
      'monthly.month',
    ]),
  empty: 'Nothing has been viewed yet.',
}

/** A report as a whole, for JSON. */
export const reportView: View = {
  columns: [],
  fields: () => {
    const periods = ['period', 'periodBefore', 'activity.period']
    const counts = ['totals', 'before', 'change', 'monthly']
    return new Set([
      ...['runningMonth', 'madeAtIso', 'scopeId', 'titlesRanked', 'monthly.month', 'titles', 'titles.*'],
      ...['activity', 'activity.*', 'progress', 'progress.*', 'unread', 'unread.*'],
      ...periods.flatMap(name => [name, `${name}.from`, `${name}.to`]),
      ...counts.flatMap(name => [name, ...scopeCounters.map(each => `${name}.${each}`)]),
    ])
  },
}
