import type { CheckedBy } from '../system/checked-by.ts'
import type { Warning } from '../system/warning.ts'
import type { Overrides } from './book-fields.ts'
import { type Creation, givenFields } from './creation.ts'
import { isbn13 } from './match.ts'
import { otherIsbnIn } from './other-book.ts'
import type { IfChanged, Origin, Wanted } from './wanted.ts'

/** One file and everything that is to be sent of it. */
export interface UploadPlan {
  /** As the user wrote it. */
  readonly path: string
  /** Its absolute path. */
  readonly file: string
  readonly bytes: number
  /** The file's modification time in milliseconds since 1970, to detect changes while it is sent. */
  readonly modified: number
  readonly creation: Creation
  /** What the user set. */
  readonly overrides: Overrides
  /** What the file itself says. */
  readonly own: { readonly title: string | undefined; readonly authors: readonly string[] }
  /** The ISBNs in the file, as thirteen digits. */
  readonly ownIsbns: readonly string[]
  /** `auto`, `none` or the absolute path of an image. */
  readonly cover: string
  readonly coverBytes: number | undefined
  /** The file's SHA-256, where it is known already. */
  readonly sha256: string | null
  /** Problems of the book that did not stop it. */
  readonly warnings: readonly Warning[]
  /** Who else has checked the book, if others were asked to. */
  readonly checkedBy?: readonly CheckedBy[] | undefined
  /** What a feed declares otherwise than the file, where the two were compared. */
  readonly contradicted?: readonly Warning[]
}

/**
 * The request body for a new publication or, with `editionOf`, for an edition. An edition changes the publication's language
 * only if the user sets it. The SHA-256 is included if the scope has a metadata key for it.
 */
export function creationFor(
  { creation, overrides }: Pick<UploadPlan, 'creation' | 'overrides'>,
  editionOf: string | null,
  { key, sha256 }: { key?: string | undefined; sha256?: string | null } = {},
): Creation {
  const { language, edition, ...rest } = creation
  const keepsLanguage = editionOf === null || overrides.language !== undefined
  const metadata = key === undefined || !sha256 ? edition.metadata : { [key]: sha256, ...edition.metadata }
  return {
    ...rest,
    edition: { ...edition, ...(metadata && { metadata }) },
    ...(keepsLanguage && language !== undefined && { language }),
  }
}

interface WantedOptions {
  readonly editionOf: string | null
  readonly ifChanged: IfChanged
  readonly again: boolean
  readonly sha256: string | null
  readonly from: Origin
}

/** The input of `decide`. The file's metadata identifies the book; only what the user set can change anything. */
export function wantedOf(
  { path, file, bytes, creation, overrides, own, ownIsbns }: UploadPlan,
  { editionOf, ifChanged, again, sha256, from }: WantedOptions,
): Wanted {
  const { title, author = [], type, metadata } = creation.edition
  const isbn = typeof metadata?.['isbn'] === 'string' ? metadata['isbn'] : undefined
  return {
    key: isbn13(isbn) ?? (sha256 === null ? null : `sha256:${sha256}`),
    ...{
      file: path,
      path: file,
      bytes,
      sha256,
      type,
      title,
      authors: author,
      isbn,
      own,
      otherIsbn: otherIsbnIn(ownIsbns, isbn13(overrides.isbn)),
      editionOf,
      ifChanged,
      again,
    },
    given: givenFields(overrides),
    from,
  }
}
