import { pick } from './fields.ts'
import type { Series } from './series.ts'
import { type Column, columnsFor, type OutputOptions, type View } from './view.ts'

/**
 * A record as rows of CSV or TSV. A record with a series has a row for each element, with the record's own columns first.
 * A record without a series, or with `--fields` that name nothing of the series, is a single row.
 */
export function asRows(
  view: View,
  options: OutputOptions,
  item: unknown,
  isCard: boolean,
): { columns: readonly Column[]; rows: readonly unknown[] } {
  const columns = columnsFor(view, options, isCard)
  const series = view.series && pick(item, view.series.rows.split('.'))
  if (!view.series || !Array.isArray(series)) return { columns, rows: [item] }
  const isOfSeries = ({ field }: Column) => field.startsWith(`${view.series?.rows}.`)
  const all = options.fields ? columns : [...columns, ...columnsOf(view.series)]
  if (!all.some(isOfSeries)) return { columns: all, rows: [item] }
  const { rows: name } = view.series
  const record = item as Readonly<Record<string, unknown>>
  const rows = series.map(element => ({ ...record, [name]: element }))
  // An empty series still gives a row for the record itself.
  return { columns: all, rows: rows.length > 0 ? rows : [item] }
}

const columnsOf = ({ rows, fields }: Series): Column[] => fields.map(field => ({ field: `${rows}.${field}` }))
