import { basename } from 'node:path'
import type { Book } from '../books/index.ts'
import type { Input } from '../contract/endpoint.ts'
import type { publications } from '../contract/publications.ts'
import { languageName } from './language.ts'

/** What the command line says of a book; it wins over what the file says of itself. */
export interface Wishes {
  title?: string | undefined
  author?: string[] | undefined
  language?: string | undefined
  description?: string | undefined
  isbn?: string | undefined
  publisher?: string | undefined
  metadata?: Record<string, string> | undefined
  collection?: string[] | undefined
  sampleItem?: string[] | undefined
  internal?: true | undefined
}

/** An image to send along with the book. */
export interface Cover {
  filename: string
  content: Buffer
}

/** One file and everything that is to be sent of it. */
export interface UploadPlan {
  readonly path: string
  readonly bytes: number
  /** When the file was last written, in milliseconds, to notice that it changed while it was sent. */
  readonly modified: number
  readonly creation: Input<typeof publications.create>
  readonly cover: Cover | undefined
}

/** The body that creates a publication or an edition from a book and the person's wishes. */
export function creationOf(
  path: string,
  book: Book,
  wishes: Wishes,
  cover: Cover | undefined,
  uploadRequestId: string,
): UploadPlan['creation'] {
  const title = wishes.title ?? book.title
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
      ...(title && { title }),
      ...(author.length > 0 && { author }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    ...(language && { language: languageName(language) }),
    ...(wishes.description !== undefined && { description: wishes.description }),
    ...(wishes.sampleItem && { sampleItems: wishes.sampleItem }),
    ...(wishes.internal && { isForInternalReadingInstance: true }),
    ...(cover && { coverFilename: cover.filename }),
    ...(wishes.collection && { collectionIds: wishes.collection }),
  }
}
