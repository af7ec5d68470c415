import { resolve } from 'node:path'
import type { ReadBook, ReadOptions } from '../../books/book.ts'
import { type OpenBook, ownCopyOf, withBook } from '../../books/index.ts'
import type { MayRead } from '../../system/may-read.ts'
import type { Allocate } from '../../system/open-file.ts'
import { sha256OfOpen } from './hash.ts'

/** A book, and the file that it was read from. */
export interface Reading {
  readonly book: ReadBook
  /** The cover image in the book, if it was requested. */
  readonly cover: { readonly filename: string; readonly bytes: Uint8Array } | undefined
  readonly bytes: number
  /** The file's modification time in milliseconds since 1970. */
  readonly modified: number
  /** The file's SHA-256 in hexadecimal, if it was computed. */
  readonly sha256: string | null
  /** The very bytes that were hashed, if the file is small. */
  readonly content?: Uint8Array | undefined
  /** To be called once nobody reads or sends `content` any more, which is overwritten then; undefined where that makes no difference. */
  readonly giveBack?: (() => void) | undefined
}

/** A file as far as it has been looked at. */
interface FoundFile extends Pick<Reading, 'bytes' | 'modified'> {
  /** Its absolute path. */
  readonly file: string
}

/** The SHA-256 of a file if it is needed, computed if it is not known. */
export type Hash = (
  file: FoundFile,
  compute: (signal: AbortSignal) => Promise<string>,
) => Promise<string | null>

/**
 * Reads a book and, if requested, its cover and its hash, which `hash` decides. The file is opened once. Throws as `readBook`
 * does. `options` are what else is read of it.
 */
export type Read = (
  path: string,
  mayRead: MayRead,
  wantsCover: boolean,
  hash?: Hash | undefined,
  options?: ReadOptions | undefined,
) => Promise<Reading>

/** Reads a book in this thread. */
export const readHere: Read = async (...asked) => {
  const reading = await readForAnother(...asked)
  return { ...reading, book: ownCopyOf(reading.book) }
}

/** Reads a book for another thread, which gets a copy in any case. A small one is read into what `allocate` gives. */
export const readForAnother = async (
  path: string,
  mayRead: MayRead,
  wantsCover: boolean,
  hash: Hash = async () => null,
  options: ReadOptions = {},
  allocate?: Allocate | undefined,
): Promise<Reading> => {
  const readOpen = async ({ file, read, readCover }: OpenBook): Promise<Reading> => {
    const { bytes, modified } = file
    let content: Uint8Array | undefined
    const compute = async (signal: AbortSignal) => {
      const sha256 = await sha256OfOpen(path, file, bytes, signal)
      content = await file.content?.()
      return sha256
    }
    const hashed = async () => await hash({ file: resolve(path), bytes, modified }, compute)
    // A small file is hashed first, which brings it into the processor's cache while it computes. The check sums of the entries, which
    // compute less, would wait for it: 1,000 uploads take 0.97 times as long so.
    const early = file.content && (await hashed())
    const book = await read(options)
    const cover = wantsCover ? await readCover(book) : undefined
    const sha256 = early === undefined ? await hashed() : early
    return { book, cover, bytes, modified, sha256, content }
  }
  return await withBook(path, mayRead, readOpen, allocate)
}
