import { closest } from '../../../cli/output/did-you-mean.ts'
import { bookFieldEntries, columnOf } from '../../../plan/book-fields.ts'
import { UsageFailure } from '../../../system/errors.ts'

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

/**
 * Column names are case-insensitive; metadata keys are not. What is no column stays as it is written: people look for it, and it may
 * be a secret, which is found to be hidden only as it is.
 */
export function columnName(name: string): string {
  const trimmed = name.trim()
  if (/^metadata\./i.test(trimmed)) return `metadata.${trimmed.slice('metadata.'.length)}`
  const lower = trimmed.toLowerCase()
  return catalogueColumns.find(column => column.toLowerCase() === lower) ?? trimmed
}

/** What a column of a sheet means, as somebody says it. */
interface NamedColumn {
  /** As the sheet has it. */
  readonly name: string
  readonly column: string
  /** Whether a sheet had it so far. */
  isFound: boolean
}

/** Columns by the names that sheets have for them, in lower case. */
export type NamedColumns = ReadonlyMap<string, NamedColumn>

/** What texts such as `Titel=title` say. Throws UsageFailure for a column that there is not. */
export function columnsNamed(texts: readonly string[]): NamedColumns {
  const named = new Map<string, NamedColumn>()
  for (const text of texts) {
    const at = text.lastIndexOf('=')
    const [name, column] = [text.slice(0, at).trim(), columnName(text.slice(at + 1))]
    if (at < 1 || name === '')
      throw new UsageFailure(`--column: "${text}" does not say which column means what`, {
        hint: 'Write it like "Titel=title".',
      })
    if (columnFault(column, true) !== undefined)
      throw new UsageFailure(`--column: there is no column "${column}"`, {
        hint: `The columns are ${catalogueColumns.join(', ')}, and metadata.<key>.`,
      })
    named.set(name.toLowerCase(), { name, column, isFound: false })
  }
  return named
}

/** The column that a sheet has by another name; undefined if nobody said so. */
export function namedColumn(columns: NamedColumns, written: string): string | undefined {
  const named = columns.get(written.trim().toLowerCase())
  if (named) named.isFound = true
  return named?.column
}

/** Throws UsageFailure for a column that no sheet had. */
export function mustBeFound(columns: NamedColumns): void {
  for (const { name, isFound } of columns.values())
    if (!isFound)
      throw new UsageFailure(`--column: no sheet has a column "${name}"`, {
        hint: 'Write the name as it stands in the first row of the sheet.',
      })
}

/** What is wrong with a column's name; undefined if nothing is. */
export function columnFault(column: string, isCatalogue: boolean): string | undefined {
  if (columns.includes(column) || column.startsWith('metadata.')) return undefined
  if (!catalogueColumns.includes(column)) return 'there is no column of this name'
  return isCatalogue ? undefined : 'only a catalogue has this column'
}

/** How to use a column that is not known. */
export const columnHint = (column: string): string =>
  `Say what a column means with --column, such as --column "${column}=${closest(column, catalogueColumns) ?? 'isbn'}"`
