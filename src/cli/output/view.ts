import { type CellKind, plain } from './cell.ts'
import { neutraliseLine } from './neutralise.ts'

/** A column of a table, or a line of a card. `field` is a dotted path into the item. */
export interface Column {
  readonly field: string
  /** The header, where the field's name would be misleading or too long. */
  readonly label?: string
  readonly kind?: CellKind
  /** Shortened last of all, because people copy it. */
  readonly isCutLast?: boolean
  /** Shortened at its beginning, because the end of a path matters more. */
  readonly isPath?: boolean
  /** Only shown on a card, because a table would become too wide. */
  readonly isDetail?: boolean
  /** What people recognise a row by, such as a title. It gets more of the width than other columns. */
  readonly isMain?: boolean
  /** Shown whole below its row in a table, in lines of its own, because a cell would have no room for it. */
  readonly isBelow?: boolean
  /** The text of a value, or of each in a list, in place of its JSON. What it quotes is cut to `most` UTF-16 code units. */
  readonly textOf?: (value: unknown, most: number) => string
  /** Shown first to people, although it is piped after columns that are older. */
  readonly isFirst?: boolean
  /** Left out of a table, the last one first, where the other columns would become too narrow. */
  readonly isMinor?: boolean
}

/** The texts of a value in a column, or of each value in a list. */
export const textsOf = (value: unknown, textOf: NonNullable<Column['textOf']>, most: number): string[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(each =>
    textOf(each, most),
  )

/** The whole text of a value in a column. */
export const wholeText = (value: unknown, { textOf }: Pick<Column, 'textOf'>): string =>
  plain(textOf ? textsOf(value, textOf, Number.POSITIVE_INFINITY) : value)

/** Whether a column has ids, which people copy and do not read. */
export const isId = ({ field }: Column): boolean => /(?:^id|Id)$/.test(field)

/** How a kind of resource is shown. */
export interface View {
  readonly columns: readonly Column[]
  /** All fields that `--fields` may name. A function, because creating the schemas behind it takes time. */
  readonly fields: () => ReadonlySet<string>
  /** What a terminal shows instead of an empty table; nothing for what is always there. */
  readonly empty?: string | undefined
  readonly series?: Series
}

/** A list within an item. A terminal shows it as a table below the card, and CSV has a row for each element. */
export interface Series {
  /** The path to the list. */
  readonly rows: string
  /** What is shown of an element; their fields begin with that path. */
  readonly columns: readonly Column[]
}

/** The items of a list, a page at a time. */
export type Pages = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>

/** The answers of a listing as the service sent them, each with a page in `items`. */
export type Answers = AsyncIterable<Readonly<Record<string, unknown>>>

/** The number of items that are turned into text at a time, so that a page of any length is printed in little memory. */
const chunkLength = 1000

/** The number of items of a page that is made here. */
const pageLength = 200

/** The items of a page, some at a time. */
export function* inChunks(page: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < page.length; start += chunkLength) yield page.slice(start, start + chunkLength)
}

/** What is shown of items, in pages, so that all of it is not in memory at once. Those of which nothing is are left out. */
export function* inPages<T, R>(items: Iterable<T>, shownOf: (item: T) => R | undefined): Generator<R[]> {
  let page: R[] = []
  for (const item of items) {
    const shown = shownOf(item)
    if (shown !== undefined) page.push(shown)
    if (page.length < pageLength) continue
    yield page
    page = []
  }
  yield page
}

export type Format = 'table' | 'json' | 'ndjson' | 'csv'

/** The format of the output, and what `--fields` and `--query` select. */
export interface OutputOptions {
  readonly format: Format
  readonly fields?: readonly string[] | undefined
  readonly query?: string | undefined
  /** Told the headers of the columns that had no room in a table. */
  readonly onNarrow?: ((left: readonly string[]) => Promise<void>) | undefined
  /** The fields that a result may have. */
  readonly declared?: (() => ReadonlySet<string>) | undefined
  /** Told of a field that `--query` names and nothing in the result has, what is similar, and the fields of a record. */
  readonly onMissing?:
    | ((name: string, near: string | undefined, own: readonly string[]) => Promise<void>)
    | undefined
  /** Told that `--query` selected something: a value other than null, false and an empty list. */
  readonly onSelected?: (() => void) | undefined
  /** The commands to go on with after a list, of which the first item is given; undefined to print the list alone. */
  readonly next?: ((view: View, first: unknown) => readonly string[]) | undefined
}

/** The header of a column: its label, or createdAtIso → CREATED, fileSize → FILE SIZE, metadata.isbn → ISBN, isInUse → IN USE. */
export const header = ({ field, label }: Column): string =>
  (label ?? neutraliseLine(field.split('.').at(-1) ?? field))
    .replace(/(?:AtIso|Iso)$/, '')
    .replace(/^is(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * The fields that `--fields` names: a card's "edition id" may be called so, or `editionId`, where no field has that name and
 * one column alone.
 */
export function namedFields(view: View, names: readonly string[]): readonly string[] {
  const known = view.fields()
  const columns = [...view.columns, ...(view.series?.columns ?? [])]
  return names.map(name => {
    if (known.has(name)) return name
    const alike = columns.filter(column => bare(header(column)) === bare(name))
    return alike.length === 1 ? (alike[0]?.field ?? name) : name
  })
}

/** The columns to show: those that `--fields` names, else those of the view. */
export function columnsFor(view: View, options: OutputOptions, isCard: boolean): readonly Column[] {
  if (!options.fields) return isCard ? view.columns : view.columns.filter(column => !column.isDetail)
  return options.fields.map(field => ({
    ...(view.columns.find(column => column.field === field) ?? { field }),
    isMinor: false,
    isBelow: false,
  }))
}
