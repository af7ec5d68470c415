/**
 * Every field of a book that a user can set, in the order of the flags and the sheet columns. The key `sampleItem` makes the
 * flag `--sample-item` and the column `sample-item`. Flags, sheets, failed.csv, request bodies and comparisons with the
 * service all derive from this table.
 */
const bookFields = {
  title: {
    kind: 'text',
    argument: '<text>',
    help: "the title, in place of the file's own",
    sentIn: 'edition',
    sentAs: 'title',
    isInFile: true,
  },
  author: {
    kind: 'list',
    argument: '<name>',
    help: "an author, in place of the file's own",
    sentIn: 'edition',
    sentAs: 'author',
    isInFile: true,
  },
  language: {
    kind: 'language',
    argument: '<language>',
    help: 'a tag such as en-GB, or a name such as English',
    sentIn: 'publication',
    sentAs: 'language',
    isInFile: true,
    isChangeable: true,
  },
  description: {
    kind: 'text',
    argument: '<text>',
    help: 'what the book is about',
    sentIn: 'publication',
    sentAs: 'description',
    isChangeable: true,
  },
  isbn: {
    kind: 'isbn',
    argument: '<isbn>',
    help: 'its ISBN, with or without hyphens',
    sentIn: 'metadata',
    sentAs: 'isbn',
    isInFile: true,
  },
  publisher: {
    kind: 'text',
    argument: '<name>',
    help: 'who publishes it',
    sentIn: 'metadata',
    sentAs: 'publisher',
    isInFile: true,
  },
  metadata: {
    kind: 'pairs',
    argument: '<key=value>',
    help: 'a metadata value; key:=5 gives a number or other JSON',
    sentIn: 'metadata',
    sentAs: 'its own keys',
  },
  cover: {
    kind: 'cover',
    argument: '<file>',
    help: 'an image file; "auto" for the cover in the book, "none" for none',
    sentIn: 'a file of its own',
    sentAs: 'coverFilename',
    isInFile: true,
  },
  collection: {
    kind: 'list',
    argument: '<id>',
    help: 'a collection to put it in',
    sentIn: 'publication',
    sentAs: 'collectionIds',
  },
  sampleItem: {
    kind: 'list',
    argument: '<item>',
    help: 'an item of the book that anybody may read',
    sentIn: 'publication',
    sentAs: 'sampleItems',
    isChangeable: true,
  },
  internal: {
    kind: 'boolean',
    argument: '',
    help: 'only for the internal reading instance',
    sentIn: 'publication',
    sentAs: 'isForInternalReadingInstance',
    isChangeable: true,
  },
} as const satisfies Readonly<Record<string, BookField>>

export interface BookField {
  readonly kind: keyof Values
  /** The flag's argument; empty for a switch. */
  readonly argument: string
  readonly help: string
  /** Where in the request body the field goes, and its name there. */
  readonly sentIn: 'edition' | 'metadata' | 'publication' | 'a file of its own'
  readonly sentAs: string
  /** Whether the book file can contain it as well. An empty value is then left out of the request. */
  readonly isInFile?: true
  /** Whether the service can change it later (PATCH, §4.4). */
  readonly isChangeable?: true
}

interface Values {
  text: string
  language: string
  isbn: string
  list: string[]
  pairs: Record<string, unknown>
  /** `auto`, `none` or the path of a file. */
  cover: string
  boolean: true
}

type Fields = typeof bookFields
export type BookFieldName = keyof Fields

/** The fields with their names, in the order of the table. */
export const bookFieldEntries = Object.entries(bookFields) as readonly (readonly [BookFieldName, BookField])[]

/** The sheet column of a field, which is its flag without the hyphens before it. */
export const columnOf = (name: BookFieldName): string =>
  name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** Values that the user sets by flags or in a sheet; they override the metadata in the file. */
export type Overrides = { [name in BookFieldName]?: Values[Fields[name]['kind']] }

type SentValue<K extends keyof Values> = K extends 'list'
  ? readonly string[]
  : K extends 'boolean'
    ? boolean
    : string

type Sent<N extends BookFieldName> = {
  readonly [name in N as Fields[name]['sentAs']]?: SentValue<Fields[name]['kind']> | undefined
}

type Changeable = {
  [name in BookFieldName]: Fields[name] extends { isChangeable: true } ? name : never
}[BookFieldName]

type InBody = {
  [name in BookFieldName]: Fields[name]['sentIn'] extends 'edition' | 'publication' ? name : never
}[BookFieldName]

/**
 * The fields that the service can change later (PATCH, §4.4), by the service's names: `language`, `description`, `sampleItems`
 * and `isForInternalReadingInstance`.
 */
export type ChangeableFields = Sent<Changeable>

/**
 * The fields that can only be set when a publication or an edition is created, by the service's names: `title`, `author`,
 * `collectionIds` and the metadata.
 */
export interface CreationFields extends Sent<Exclude<InBody, Changeable>> {
  /** ISBN and publisher among them. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Whether a cover that was chosen is the path of an image, and not `auto` or `none`. */
export const isImagePath = (cover: string | null | undefined): cover is string =>
  cover !== null && cover !== undefined && cover !== 'auto' && cover !== 'none'
