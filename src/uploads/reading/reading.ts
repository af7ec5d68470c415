import { type Book, readBook, readCover } from '../../books/index.ts'
import { stat } from '../../system/files.ts'

/** A book, and the file that it was read from. */
export interface Reading {
  readonly book: Book
  /** The cover image in the book, if it was requested. */
  readonly cover: { readonly filename: string; readonly bytes: Uint8Array } | undefined
  readonly bytes: number
  /** The file's modification time in milliseconds since 1970. */
  readonly modified: number
  /** The file's SHA-256 in hexadecimal, if it was computed. */
  readonly sha256: string | null
}

/** Reads a book and, if requested, its cover. Throws as `readBook` does. */
export type Read = (path: string, wantsCover: boolean) => Promise<Reading>

/** Reads a book in this thread. */
export const readHere: Read = async (path, wantsCover) => {
  const book = await readBook(path)
  const cover = wantsCover ? await readCover(path, book) : undefined
  const { size, mtimeMs } = await stat(path)
  return { book, cover, bytes: size, modified: mtimeMs, sha256: null }
}
