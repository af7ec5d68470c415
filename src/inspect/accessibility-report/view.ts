import type { Column, View } from '../../cli/output/view.ts'
import { sections } from './words.ts'

/** The columns of CSV, and of the CSV report. */
export const allColumns: readonly Column[] = [
  { field: 'file', isPath: true },
  { field: 'type' },
  { field: 'title', isMain: true },
  { field: 'isbn', isCutLast: true },
  { field: 'language' },
  { field: 'layout' },
  { field: 'accessibility.state', label: 'accessibility' },
  ...sections.map(
    ([name, title]): Column => ({ field: `accessibility.statements.${name}`, label: title.toLowerCase() }),
  ),
  { field: 'accessibility.pdf.isTagged', label: 'tagged' },
  { field: 'accessibility.pdf.pdfUaPart', label: 'PDF/UA part' },
  { field: 'accessibility.pdf.showsTitle', label: 'shows title' },
  { field: 'accessibility.missing.property', label: 'missing' },
  { field: 'accessibility.contradictions.message', label: 'contradictions' },
  { field: 'accessibility.unknownValues.value', label: 'unknown values' },
  { field: 'accessibility.onix.list196.code', label: 'ONIX list 196' },
  { field: 'accessibility.onix.list143.code', label: 'ONIX list 143' },
]

const tableColumns: readonly Column[] = [
  { field: 'file', isPath: true },
  { field: 'title', isMain: true },
  { field: 'accessibility.state', label: 'accessibility', isCutLast: true },
  { field: 'accessibility.missing.property', label: 'missing' },
  { field: 'accessibility.onix.list196.code', label: 'ONIX list 196', isMinor: true },
]

/** What a terminal says in lines of their own below the card of a book. */
const inRemarks = ['missing.property', 'contradictions.message', 'unknownValues.value']

const columns = {
  all: allColumns,
  table: tableColumns,
  card: allColumns.filter(({ field }) => !inRemarks.some(name => field === `accessibility.${name}`)),
}

/** What `inspect --accessibility` shows, with columns for CSV, a table or a card with remarks below it. */
export const accessibilityView = (kind: keyof typeof columns, fields: View['fields']): View => ({
  columns: columns[kind],
  fields: () => new Set([...fields(), 'accessibility', 'accessibility.*']),
})
