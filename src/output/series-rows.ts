import { pick } from './fields.ts'
import type { Series } from './series.ts'
import { type Choice, type Column, columnsFor, type View } from './view.ts'

/**
 * A record as the rows of a file. One that holds a series is a row an element, each with the record's own columns
 * before it; where `--fields` names nothing of the series, or the record has none, it is a single row.
 */
export function asRows(
  view: View,
  choice: Choice,
  item: unknown,
  isCard: boolean,
): { columns: readonly Column[]; rows: readonly unknown[] } {
  const columns = columnsFor(view, choice, isCard)
  const series = view.series && pick(item, view.series.rows.split('.'))
  if (!view.series || !Array.isArray(series)) return { columns, rows: [item] }
  const isOfSeries = ({ field }: Column) => field.startsWith(`${view.series?.rows}.`)
  const all = choice.fields ? columns : [...columns, ...columnsOf(view.series)]
  if (!all.some(isOfSeries)) return { columns: all, rows: [item] }
  const { rows: name } = view.series
  const record = item as Readonly<Record<string, unknown>>
  const rows = series.map(element => ({ ...record, [name]: element }))
  // Of an empty series, the record itself is still told.
  return { columns: all, rows: rows.length > 0 ? rows : [item] }
}

const columnsOf = ({ rows, fields }: Series): Column[] => fields.map(field => ({ field: `${rows}.${field}` }))
