import { pick } from './fields.ts'
import { type Column, columnsFor, type OutputOptions, type Series, type View } from './view.ts'

/**
 * The columns of CSV or TSV, and a record as its rows. With a series, those are a row for each element, with the record's own
 * columns first. Without, or with `--fields` that name nothing of the series, a record is a single row.
 */
export function asRows(
  view: View,
  series: Series | undefined,
  options: OutputOptions,
  isCard: boolean,
): { columns: readonly Column[]; rowsOf: (item: unknown) => readonly unknown[] } {
  const own = columnsFor(view, options, isCard)
  if (!series) return { columns: own, rowsOf: item => [item] }
  const columns = options.fields ? own : [...own, ...series.columns]
  const isNamed = columns.some(({ field }) => field.startsWith(`${series.rows}.`))
  return { columns, rowsOf: item => (isNamed ? rowsOfSeries(series, item) : [item]) }
}

/** The elements of a series in an item; undefined if it has none, contrary to the service's document or by choice. */
export function elementsOf({ rows }: Series, item: unknown): readonly unknown[] | undefined {
  const elements = pick(item, rows.split('.'))
  return Array.isArray(elements) ? elements : undefined
}

/** The record once for each element of its series, with that element alone. An empty series gives the record itself. */
export function rowsOfSeries(series: Series, item: unknown): readonly unknown[] {
  const elements = elementsOf(series, item) ?? []
  const path = series.rows.split('.')
  return elements.length > 0 ? elements.map(element => withValue(item, path, element)) : [item]
}

/** A copy of a record with another value at a path that is in it. */
function withValue(record: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const fields = record as Readonly<Record<string, unknown>>
  return { ...fields, [name]: rest.length === 0 ? value : withValue(fields[name], rest, value) }
}
