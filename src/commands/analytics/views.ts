import type { View } from '../../cli/output/view.ts'
import {
  DailyActivity,
  PopularPublication,
  PublicationAnalytics,
  ScopeAnalytics,
} from '../../service/contract/analytics.ts'
import { fieldsOf } from '../../service/contract/fields.ts'

export const scopeView: View = {
  columns: [
    { field: 'period.from' },
    { field: 'period.to' },
    { field: 'totals.publicationsRead', kind: 'count' },
    { field: 'totals.totalViews', kind: 'count' },
    { field: 'totals.activeReaders', kind: 'count' },
  ],
  fields: () => fieldsOf(ScopeAnalytics),
  series: {
    rows: 'monthly',
    columns: [
      { field: 'monthly.month' },
      { field: 'monthly.publicationsRead', kind: 'count' },
      { field: 'monthly.totalViews', kind: 'count' },
      { field: 'monthly.activeReaders', kind: 'count' },
    ],
  },
}

export const popularView: View = {
  columns: [
    { field: 'publicationId', isCutLast: true },
    { field: 'title', isMain: true },
    { field: 'views', kind: 'count' },
  ],
  fields: () => fieldsOf(PopularPublication),
  empty: 'Nothing has been viewed yet.',
}

/** Popular titles, each with its figures in `trend`, or with why there are none in `error`. */
export const trendView: View = {
  columns: [...popularView.columns, { field: 'error.code', label: 'error', isCutLast: true }],
  fields: () => {
    const ofTrend = [...fieldsOf(PublicationAnalytics)].map(field => `trend.${field}`)
    return new Set([...popularView.fields(), 'trend', ...ofTrend, 'error', 'error.code', 'error.message'])
  },
  empty: popularView.empty,
  series: {
    rows: 'trend.monthly',
    columns: [{ field: 'trend.monthly.month' }, { field: 'trend.monthly.totalReads', kind: 'count' }],
  },
}

export const publicationView: View = {
  columns: [
    { field: 'publicationId' },
    { field: 'period.from' },
    { field: 'period.to' },
    { field: 'totals.totalReads', kind: 'count' },
    { field: 'totals.averageReadTimeMs', label: 'average read time', kind: 'duration' },
    { field: 'totals.averageCompletion', kind: 'part' },
    { field: 'totals.completionRate', kind: 'part' },
  ],
  fields: () => fieldsOf(PublicationAnalytics),
  series: {
    rows: 'monthly',
    columns: [
      { field: 'monthly.month' },
      { field: 'monthly.totalReads', kind: 'count' },
      { field: 'monthly.averageReadTimeMs', label: 'average read time', kind: 'duration' },
      { field: 'monthly.averageCompletion', kind: 'part' },
      { field: 'monthly.completionRate', kind: 'part' },
    ],
  },
}

export const activityView: View = {
  columns: [{ field: 'publicationId' }, { field: 'period.from' }, { field: 'period.to' }],
  fields: () => fieldsOf(DailyActivity),
  series: { rows: 'daily', columns: [{ field: 'daily.day' }, { field: 'daily.views', kind: 'count' }] },
}
