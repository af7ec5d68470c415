import { bookFieldEntries, columnOf } from '../../../plan/book-fields.ts'

/** The columns of a sheet of uploads: the file, the fields of a book by the names of their flags, and an error. */
export const columns: readonly string[] = [
  'file',
  ...bookFieldEntries.map(([name]) => columnOf(name)),
  // Written to failed.csv, and not read.
  'error',
]

/** The columns that name a book; a row of a catalogue has at least one of them. */
export const identifying: readonly string[] = ['file', 'isbn', 'key', 'publicationId', 'title']

/** The columns of a catalogue's sheet. */
export const catalogueColumns: readonly string[] = ['key', 'publicationId', ...columns]

/** Column names are case-insensitive; metadata keys are not. */
export function columnName(name: string): string {
  const trimmed = name.trim()
  if (/^metadata\./i.test(trimmed)) return `metadata.${trimmed.slice('metadata.'.length)}`
  const lower = trimmed.toLowerCase()
  return catalogueColumns.find(column => column.toLowerCase() === lower) ?? lower
}

/** What is wrong with a column's name; undefined if nothing is. */
export function columnFault(column: string, isCatalogue: boolean): string | undefined {
  if (columns.includes(column) || column.startsWith('metadata.')) return undefined
  if (!catalogueColumns.includes(column)) return 'there is no column of this name'
  return isCatalogue ? undefined : 'only a catalogue has this column'
}
