import type { CellKind } from './cell.ts'
import { neutraliseLine } from './neutralise.ts'
import type { Series } from './series.ts'

/** One column of a table, or one line of a card. `field` is the dotted name of what it shows. */
export interface Column {
  readonly field: string
  /** What a person reads above it, where the field's own name would mislead or takes too much room. */
  readonly label?: string
  readonly kind?: CellKind
  /** Never shortened to fit the terminal, since a person copies it. */
  readonly isWhole?: boolean
  /** Cut at its beginning to fit the terminal, since its end tells more. */
  readonly isPath?: boolean
  /** Shown on a card only: a table would grow too wide. */
  readonly isDetail?: boolean
  /** What a person recognises a row by, such as a title: it gets the room that the columns beside it can spare. */
  readonly isMain?: boolean
  /** Left out of a table, the last one first, where the others would have too little room. */
  readonly isMinor?: boolean
}

/** How one kind of resource is shown. */
export interface View {
  readonly columns: readonly Column[]
  /** Every field that `--fields` may name; asked for only when it is used. */
  readonly fields: () => ReadonlySet<string>
  /** What a terminal says in place of an empty table. */
  readonly empty: string
  /** Counts over time that a terminal shows as bars below the card. */
  readonly series?: Series
}

/** What is listed, as it comes from the service: a page of items at a time. */
export type Pages = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>

export type Format = 'table' | 'json' | 'ndjson' | 'csv'

/** How the person wants the result. */
export interface Choice {
  readonly format: Format
  readonly fields?: readonly string[] | undefined
  readonly query?: string | undefined
}

/** createdAtIso → CREATED, fileSize → FILE SIZE, metadata.isbn → ISBN, isInUse → IN USE; or what the view calls it. */
export const header = ({ field, label }: Column): string =>
  (label ?? neutraliseLine(field.split('.').at(-1) ?? field))
    .replace(/(?:AtIso|Iso)$/, '')
    .replace(/^is(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()

/** The columns to show: those that `--fields` names, else the view's own. */
export function columnsFor(view: View, choice: Choice, isCard: boolean): readonly Column[] {
  if (!choice.fields) return isCard ? view.columns : view.columns.filter(column => !column.isDetail)
  return choice.fields.map(field => ({
    ...(view.columns.find(column => column.field === field) ?? { field }),
    isMinor: false,
  }))
}
