import type { PublicationType } from '../service/contract/publication-type.ts'
import type { ChangeableFields, CreationFields, Overrides } from './book-fields.ts'

/** What to do with a book that is at the service with other content. */
export const ifChangedChoices = ['edition', 'new', 'fail'] as const
export type IfChanged = (typeof ifChangedChoices)[number]

/** Where a book was named: a file on the command line, a row of a sheet, or a record of an ONIX message. */
export type Origin =
  | { readonly file: string }
  | { readonly sheet: string; readonly row: string }
  | { readonly onix: string; readonly record: string; readonly line: number }

/** A file to upload, and what the user set for it. */
export interface WantedFile {
  readonly file: string
  readonly overrides: Overrides
  /** Its row, if it comes from a sheet. */
  readonly from?: Origin
  /** Its path below the folder that was named, or the sheet's folder; the same on every machine. */
  readonly below?: string
}

export const originOf = ({ file, from = { file } }: WantedFile): Origin => from

/** A book that is to be at the service. */
export interface Wanted {
  /** The ISBN as thirteen digits, or else `sha256:<hex>`; null if neither is known. */
  readonly key: string | null
  /** As the user wrote it. */
  readonly file: string
  /** The absolute path of the file. */
  readonly path: string
  readonly bytes: number
  /** Hexadecimal; null if it was not computed. */
  readonly sha256: string | null
  readonly type: PublicationType
  /** From the user, or else from the file. */
  readonly title: string | undefined
  readonly authors: readonly string[]
  readonly isbn: string | undefined
  /** From the file: the book may be at the service under its own title as well. */
  readonly own: { readonly title: string | undefined; readonly authors: readonly string[] }
  /** The ISBN in the file, where another one is given. */
  readonly otherIsbn?: string | undefined
  /** What the user set. The file's metadata is not included, so that it never overwrites anything. */
  readonly given: { readonly changeable: ChangeableFields; readonly creation: CreationFields }
  /** The publication that it becomes an edition of, if one was named. */
  readonly editionOf: string | null
  readonly ifChanged: IfChanged
  /** Whether it is uploaded even if it was uploaded before (`--again`). */
  readonly again: boolean
  readonly from: Origin
}

/** What the key of a book is called: its ISBN, or the value of a metadata key, by the name of that. */
export const keyName = (keyField: string): string => (keyField === 'isbn' ? 'ISBN' : keyField)

/** What a catalogue says of a book besides its fields. */
export interface CatalogueRow {
  /** As in the plan: thirteen digits for an ISBN, or the value of a metadata key; null if neither is given. */
  readonly key: string | null
  /** The metadata key whose value is the key: `isbn`, or that of `--match metadata:<key>`. */
  readonly keyField: string
  /** From a sheet; it beats every other match. */
  readonly publicationId: string | null
  /** The type according to the source. */
  readonly type: PublicationType | null
  /** Why it is not a digital book that the service can have. */
  readonly ignored: string | null
  /** Why it is not for sale according to the source; null if it is. */
  readonly withdrawn: string | null
  readonly isPartial: boolean
  /** All files that were found for it; more than one cannot be decided on. */
  readonly files: readonly string[]
  /** Why its file cannot be used. */
  readonly fileError: string | null
  /** Whether a difference that the service cannot change makes a new edition (`--reissue`). */
  readonly reissue: boolean
  /** Whether what was changed at the service is replaced as well (`--overwrite-drifted`). */
  readonly overwritesDrifted: boolean
  /**
   * Whether it is another book than a publication of the same title without a key, or of the same file with another key, and
   * its file is the right one although ISBN and title in it are others (`--new`).
   */
  readonly isNew: boolean
}

/** A product of a catalogue that is to be at the service, possibly without a file. */
export interface WantedProduct
  extends Omit<Wanted, 'file' | 'path' | 'bytes' | 'type' | 'editionOf' | 'ifChanged' | 'again'> {
  readonly file: string | null
  readonly bytes: number | null
  readonly type: PublicationType | null
  readonly row: CatalogueRow
}

export const isProduct = (wanted: Wanted | WantedProduct): wanted is WantedProduct => 'row' in wanted

/** Where a book was named, as a phrase in a message. */
export function placeOf(from: Origin): string {
  if ('sheet' in from) return `${from.row} of ${from.sheet}`
  return 'onix' in from ? `record ${from.record} in line ${from.line} of ${from.onix}` : from.file
}
