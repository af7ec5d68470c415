import type { PublicationType } from '../contract/publication.ts'
import type { ChangeableFields, CreationFields, Overrides } from './book-fields.ts'

/** What is to become of a book that is at the service with other content. */
export const ifChangedChoices = ['edition', 'new', 'fail'] as const
export type IfChanged = (typeof ifChangedChoices)[number]

/** Where a book was named: a file on the command line, or a row of a sheet, in the words of whoever looks for it. */
export type Origin = { readonly file: string } | { readonly sheet: string; readonly row: string }

/** A file that is to be uploaded, and what a person says of it. */
export interface WantedFile {
  readonly file: string
  readonly overrides: Overrides
  /** Where it stands in a sheet; a file of the command line names its own place. */
  readonly from?: Origin
}

export const originOf = ({ file, from = { file } }: WantedFile): Origin => from

/** One book that is to be at the service. */
export interface Wanted {
  /** What it is known by: its ISBN as thirteen digits, else `sha256:<hex>`; null where nothing is compared by it. */
  readonly key: string | null
  /** As the person wrote it. */
  readonly file: string
  readonly bytes: number
  /** Hexadecimal; null where it is not known yet, since nothing is compared by it. */
  readonly sha256: string | null
  readonly type: PublicationType
  /** What it is called, by the person or by the file itself. */
  readonly title: string | undefined
  readonly authors: readonly string[]
  readonly isbn: string | undefined
  /** What the file itself says: the book may be at the service by that as well. */
  readonly own: { readonly title: string | undefined; readonly authors: readonly string[] }
  /** What flags or a sheet say of it. The file's own metadata is not among it, so that it never overwrites anything. */
  readonly given: { readonly changeable: ChangeableFields; readonly creation: CreationFields }
  /** The publication that it becomes an edition of, where one was named. */
  readonly editionOf: string | null
  readonly ifChanged: IfChanged
  readonly from: Origin
}
