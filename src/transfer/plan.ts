import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Book } from '../books/index.ts'
import type { Input } from '../contract/endpoint.ts'
import { languageName } from '../contract/language.ts'
import type { publications } from '../contract/publications.ts'
import { exitCodes, Failure } from '../errors.ts'
import type { Wishes } from '../plan/wishes.ts'
import type { Warning } from '../warning.ts'
import { coverFor } from './cover.ts'
import type { Read } from './reading.ts'

/** One file and everything that is to be sent of it. */
export interface UploadPlan {
  /** As the person wrote it. */
  readonly path: string
  /** Its absolute path. */
  readonly file: string
  readonly bytes: number
  /** When the file was last written, in milliseconds, to notice that it changed while it was sent. */
  readonly modified: number
  readonly creation: Input<typeof publications.create>
  /** What a person said of it, as against the file itself. */
  readonly wishes: Wishes
  /** What the file itself says. */
  readonly own: { readonly title: string | undefined; readonly authors: readonly string[] }
  readonly coverWish: string
  readonly coverBytes: number | undefined
  /** The file's SHA-256, where it is known already. */
  readonly sha256: string | null
  /** Problems of the book that did not stop it. */
  readonly warnings: readonly Warning[]
}

export interface PlanOptions {
  readonly read: Read
  /** Whether problems of the book stop it, and whether warnings do. */
  readonly check: 'off' | 'errors' | 'strict'
  /** Told of problems that do not stop the book. */
  readonly onWarning: (warning: Warning) => void
  /** Asks for the title of a book that has none. */
  readonly askTitle: (path: string) => Promise<string>
}

/** Reads a file and settles everything that is to be sent of it, before anything is sent. */
export async function planUpload(path: string, wishes: Wishes, options: PlanOptions): Promise<UploadPlan> {
  const coverWish = wishes.cover ?? 'auto'
  const reading = await options.read(path, coverWish === 'auto')
  const { book, bytes, modified, sha256 } = reading
  const warnings = checkBook(path, book, options)
  warnings.forEach(options.onWarning)
  const cover = await coverFor(reading, coverWish)
  const title = wishes.title ?? book.title ?? (await options.askTitle(path))
  const creation = creationOf(path, book, { ...wishes, title }, cover?.filename, randomUUID())
  return {
    path,
    file: resolve(path),
    bytes,
    modified,
    sha256,
    creation,
    wishes,
    own: { title: book.title, authors: book.authors },
    coverWish: coverWish === 'auto' || coverWish === 'none' ? coverWish : resolve(coverWish),
    coverBytes: cover?.content.length,
    warnings,
  }
}

/**
 * What creates a publication of its own or, of another publication, an edition: that one's language is its own, and
 * stays what it is unless a person says otherwise. The SHA-256 is told where there is a metadata key for it.
 */
export function creationFor(
  { creation, wishes }: UploadPlan,
  editionOf: string | null,
  { key, sha256 }: { key?: string | undefined; sha256?: string | null } = {},
): UploadPlan['creation'] {
  const { language, edition, ...rest } = creation
  const keepsLanguage = editionOf === null || wishes.language !== undefined
  const metadata = key === undefined || !sha256 ? edition.metadata : { [key]: sha256, ...edition.metadata }
  return {
    ...rest,
    edition: { ...edition, ...(metadata && { metadata }) },
    ...(keepsLanguage && language !== undefined && { language }),
  }
}

/** Throws when a book cannot be read as it is meant; gives its lesser problems. */
function checkBook(path: string, { problems }: Book, { check }: PlanOptions): Warning[] {
  if (check === 'off') return []
  const grave = problems.filter(({ severity }) => check === 'strict' || severity === 'error')
  if (grave.length === 0) {
    return problems.map(({ code, message, place }) => ({
      code,
      message: `${path}: ${place ? `${place}: ` : ''}${message}`,
    }))
  }
  throw new Failure(
    `${path} has ${grave.length === 1 ? 'a problem' : `${grave.length} problems`}, so it was not sent`,
    {
      code: 'book_unfit',
      exitCode: exitCodes.usage,
      hint: `Mend it, or send it as it is with ${check === 'strict' ? '--no-check or without --strict' : '--no-check'}.`,
      details: grave.map(({ message, place, code }) => ({
        message,
        code,
        ...(place === undefined ? {} : { path: [place] }),
      })),
    },
  )
}

/** The body that creates a publication or an edition from a book and the person's wishes. */
function creationOf(
  path: string,
  book: Book,
  wishes: Wishes,
  coverFilename: string | undefined,
  uploadRequestId: string,
): UploadPlan['creation'] {
  const author = wishes.author ?? book.authors
  const isbn = wishes.isbn ?? book.isbn
  const publisher = wishes.publisher ?? book.publisher
  const language = wishes.language ?? book.language
  const metadata = { ...(isbn && { isbn }), ...(publisher && { publisher }), ...wishes.metadata }
  return {
    uploadRequestId,
    publicationFilename: basename(path),
    edition: {
      type: book.type,
      ...(wishes.title && { title: wishes.title }),
      ...(author.length > 0 && { author }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    ...(language && { language: languageName(language) }),
    ...(wishes.description !== undefined && { description: wishes.description }),
    ...(wishes.sampleItem && { sampleItems: wishes.sampleItem }),
    ...(wishes.internal && { isForInternalReadingInstance: true }),
    ...(coverFilename !== undefined && { coverFilename }),
    ...(wishes.collection && { collectionIds: wishes.collection }),
  }
}
