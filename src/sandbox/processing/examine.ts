import { basename, extname, parse } from 'node:path'
import { type Book, readBook, readCover } from '../../books/index.ts'
import { languageName } from '../../service/contract/language.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { EditionRecord, PublicationRecord } from '../store/publications.ts'
import { holdsEicar } from './scan.ts'

export type Examined =
  | { uploadStatus: 'upload_quarantine' | 'upload_failed' }
  | { uploadStatus: 'available'; book: Book; cover: Buffer | undefined }

/** File names, without extension, that ask for an outcome, so that clients can be tested with it. */
const outcomeNames = ['upload_quarantine', 'upload_failed'] as const

/**
 * Examines an uploaded file: scans it, and reads it as a book of the declared type. A book of another type, an unreadable book,
 * and a book with errors have failed. `filename` is the name that it was sent under.
 */
export async function examineFile(path: string, type: PublicationType, filename: string): Promise<Examined> {
  const outcome = outcomeNames.find(status => status === parse(filename).name)
  if (outcome) return { uploadStatus: outcome }
  try {
    if (await holdsEicar(path)) return { uploadStatus: 'upload_quarantine' }
    const book = await readBook(path, { outline: true })
    if (book.type !== type || book.problems.some(({ severity }) => severity === 'error')) {
      return { uploadStatus: 'upload_failed' }
    }
    const cover = await readCover(path, book)
    return { uploadStatus: 'available', book, cover: cover?.bytes }
  } catch {
    return { uploadStatus: 'upload_failed' }
  }
}

/** An edition that has become available, with the file's metadata in the fields that its creator did not set. */
export function withBook(
  edition: EditionRecord,
  book: Book,
  file: { name: string; bytes: number; cover: string | undefined },
): EditionRecord {
  const { title, titleSource } = titleOf(edition, book, file.name)
  const found = {
    pageCount: book.pageCount?.toString(),
    fileSize: String(file.bytes),
    epubVersion: book.epubVersion,
    ...(book.type === 'EPUB' && { spreadBehaviour: (book.spread ?? 'auto').toUpperCase() }),
    layoutType: book.layout?.toUpperCase(),
    cover: file.cover,
    coverImageAlt: book.cover?.alt,
    isbn: book.isbn,
    publisher: book.publisher,
  }
  const said = Object.entries(edition.metadata).filter(([, value]) => value !== null)
  return {
    ...edition,
    title,
    titleSource,
    author: edition.author.length > 0 ? edition.author : book.authors,
    isReflowable: book.isReflowable,
    status: 'live',
    uploadStatus: 'available',
    // The size is a fact of the file, whatever the creator said.
    metadata: { ...found, ...Object.fromEntries(said), fileSize: found.fileSize },
    navigationData: book.navigation.map((entry, navigationItemId) => ({
      collectionType: 'TOC',
      collectionIndex: 0,
      navigationItemId,
      ...entry,
      pathKey: entry.path.join('.'),
    })),
  }
}

function titleOf({ title, titleSource }: EditionRecord, book: Book, filename: string) {
  if (title) return { title, titleSource }
  if (book.title) return { title: book.title, titleSource: 'file' }
  return { title: basename(filename, extname(filename)), titleSource: 'filename' }
}

/** A publication, with the file's metadata in the fields that nobody has set. */
export const publicationWithBook = (record: PublicationRecord, book: Book): PublicationRecord => ({
  ...record,
  ...(record.language === undefined &&
    book.language !== undefined && { language: languageName(book.language) }),
  ...(record.description === undefined &&
    book.description !== undefined && { description: book.description }),
})
