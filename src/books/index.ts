import { typeByName } from '../system/book-extensions.ts'
import { UsageFailure } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { once } from '../system/once.ts'
import { type Allocate, type OpenFile, openFile } from '../system/open-file.ts'
import { unreadable } from '../system/unreadable.ts'
import type { Book, ReadBook, ReadOptions } from './book.ts'
import { coverFilename } from './cover.ts'
import { containerPath, epubMediaType, readEpub } from './epub/index.ts'
import { coverLimit } from './file.ts'
import { readLpf } from './lpf/index.ts'
import { createProblems, type Problems } from './problems.ts'
import { readSoundFile } from './sound-file.ts'
import { openZip, type Zip } from './zip.ts'
import { checkEntries } from './zip-entries.ts'
import { EntryError } from './zip-entry.ts'
import { checkDirectory } from './zip-names.ts'

export type { Book, Problem } from './book.ts'
export { checkType } from './check-type.ts'
export { isIsbn } from './isbn.ts'

/** A book whose file is open. */
export interface OpenBook {
  readonly file: OpenFile
  /** As `readBook`; it is to be kept as a copy of `ownCopyOf`, or by another thread. */
  read(options?: ReadOptions): Promise<ReadBook>
  /** As `readCover`. */
  readCover(book: Pick<Book, 'cover'>): Promise<BookCover | undefined>
}

interface BookCover {
  readonly bytes: Buffer
  readonly mediaType: string
  readonly filename: string
}

/**
 * Opens a book once, for everything that is read of it. A small one is read into the memory that `allocate` gives, or into its own.
 * Throws as `readBook` does.
 */
export async function withBook<T>(
  path: string,
  mayRead: MayRead,
  use: (book: OpenBook) => Promise<T>,
  allocate?: Allocate | undefined,
): Promise<T> {
  const file = await openFile(path, mayRead, { allocate })
  const zip = once(async () => await openZip(file))
  try {
    return await use({
      file,
      read: async (options = {}) => await read(path, { file, zip }, options),
      readCover: async book => await coverOf(zip, book),
    })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? unreadable(path, error) : error
  } finally {
    await file.close()
  }
}

/**
 * Reads the metadata of a local book. The format is detected from the content, not from the file name. Faults of the book
 * are in its `problems`. Throws UsageFailure `file_unreadable` if the file cannot be read, and `not_a_book` if it is not an
 * EPUB, PDF or LPF.
 */
export const readBook = async (path: string, mayRead: MayRead, options?: ReadOptions): Promise<ReadBook> =>
  ownCopyOf(await withBook(path, mayRead, book => book.read(options)))

/** A copy of what was read of a book, since a substring keeps the whole document that it was cut from in memory. */
export const ownCopyOf = (book: ReadBook): ReadBook => structuredClone(book)

/**
 * Extracts the cover image of a book that was read from the same path. Undefined if the book has none, or if it cannot be
 * extracted.
 */
export const readCover = async (
  path: string,
  mayRead: MayRead,
  book: Pick<Book, 'cover'>,
): Promise<BookCover | undefined> =>
  book.cover && (await withBook(path, mayRead, async opened => await opened.readCover(book)))

/** A file, and the zip in it, whose directory is read when it is first asked for. */
interface Source {
  readonly file: OpenFile
  readonly zip: () => Promise<Zip | undefined>
}

async function read(path: string, source: Source, options: ReadOptions): Promise<ReadBook> {
  const start = await startOf(source.file)
  if (start.length === 0) throw notABook(path, 'is empty', 'Save or export the book again.')
  const problems = createProblems()
  const book = await readContent(path, source, start, problems, options)
  checkTitle(book, problems)
  return { ...book, problems: problems.list() }
}

async function coverOf(zip: Source['zip'], { cover }: Pick<Book, 'cover'>): Promise<BookCover | undefined> {
  if (!cover) return undefined
  try {
    const bytes = await (await zip())?.read(cover.path, coverLimit)
    return bytes && { bytes, mediaType: cover.mediaType, filename: coverFilename(cover) }
  } catch (error) {
    if (error instanceof EntryError) return undefined
    throw error
  }
}

async function readContent(
  path: string,
  { file, zip }: Source,
  start: Buffer,
  problems: Problems,
  options: ReadOptions,
): Promise<ReadBook> {
  if (isZip(start)) return await readZippedBook(path, await zip(), problems, options)
  if (start.includes('%PDF-'))
    return await (await import('./pdf/index.ts')).readPdf(path, file, problems, options)
  const late = await lateHeader(file, start)
  if (late === undefined && options.sound && bytesAre(start) === soundKind)
    return await readSoundFile(path, file)
  if (late === undefined) throw notABook(path, start)
  const message = `The PDF begins ${late.toLocaleString('en')} bytes after the beginning of the file, where not every program finds it.`
  problems.push({ severity: 'warning', code: 'pdf_header_late', message })
  return await (await import('./pdf/index.ts')).readPdf(path, file, problems, options)
}

/**
 * Where a PDF begins after more than programs look at, behind something of no known kind or behind lines of text, such as the
 * headers of a message; undefined if it does not.
 */
async function lateHeader(file: OpenFile, start: Buffer): Promise<number | undefined> {
  const kind = bytesAre(start)
  if (kind !== unknownKind && kind !== textKind && kind !== zerosKind) return undefined
  const bytes = Buffer.alloc(256 * 1024)
  const text = bytes.toString('latin1', 0, await file.read(bytes, 0))
  // A text may name the header of a PDF without being one.
  const found = kind === textKind ? /^%PDF-\d\.\d(?=[\r\n])/m.exec(text) : /%PDF-/.exec(text)
  return found?.index
}

async function startOf(file: OpenFile): Promise<Buffer> {
  const start = Buffer.alloc(1024)
  return start.subarray(0, await file.read(start, 0))
}

const isZip = (start: Buffer): boolean => /^PK(?:\x03\x04|\x05\x06)/.test(start.toString('latin1', 0, 4))

async function readZippedBook(
  path: string,
  zip: Zip | undefined,
  problems: Problems,
  options: ReadOptions,
): Promise<ReadBook> {
  if (!zip) throw notABook(path, 'is a zip that is cut short or damaged', 'Copy or download the book again.')
  const mimetype = (await zip.readStart('mimetype', 64).catch(() => undefined))?.toString('latin1').trim()
  checkDirectory(zip, problems)
  const book =
    mimetype === epubMediaType || zip.entries.has(containerPath)
      ? await readEpub(zip, problems, options)
      : await readLpf(zip, problems, options)
  if (!book) throw notABook(path, zip)
  await checkEntries(zip, problems)
  return book
}

/** The failure for a file that is no EPUB, PDF or LPF; it says what the file seems to be instead. */
function notABook(path: string, found: Buffer | Zip | string, hint?: string): UsageFailure {
  const kind = typeof found === 'string' ? found : Buffer.isBuffer(found) ? bytesAre(found) : zipIs(found)
  const what = typeof found === 'string' ? found : `is ${kind}, not a book`
  return new UsageFailure(`${path} ${what}`, {
    code: 'not_a_book',
    hint: hint ?? (kind === soundKind ? soundHint : 'The service takes EPUB, PDF and LPF audiobooks.'),
  })
}

function zipIs({ entries, directoryError }: Zip): string {
  if (entries.has('[Content_Types].xml')) return 'an Office document'
  if (entries.has('META-INF/manifest.xml')) return 'an OpenDocument file'
  if (entries.has('META-INF/MANIFEST.MF')) return 'a Java archive'
  if ([...entries.keys()].some(name => typeByName(name) !== undefined)) return 'a zip that holds books'
  if (directoryError !== undefined) return `a zip with a damaged directory (${directoryError})`
  return 'a zip without a package document or publication manifest'
}

const unknownKind = 'a file of an unknown kind'
const textKind = 'a text file'
const zerosKind = 'a file of zeros'
const soundKind = 'a sound or video file'
const soundHint = 'The service takes LPF audiobooks: "pubctl pack audiobook" makes one of sound files.'

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^.{60}BOOKMOBI/s, 'a Kindle (MOBI) file'],
  [/^\xEADRMION/, 'a Kindle (KFX) file'],
  [/^Rar!/, 'a RAR archive'],
  [/^7z\xBC\xAF/, 'a 7-Zip archive'],
  [/^\x1F\x8B/, 'a gzip file'],
  [/^\{\\rtf/, 'a rich text file'],
  [/^\xD0\xCF\x11\xE0/, 'an old Office document'],
  [/^(?:\xFF\xD8\xFF|\x89PNG|GIF8|RIFF.{4}WEBP)/s, 'an image'],
  [/^(?:ID3|\xFF[\xFB\xF3\xF2]|OggS|fLaC|RIFF.{4}WAVE|.{4}ftyp)/s, soundKind],
  [/^(?:\xEF\xBB\xBF)?\s*(?:<!doctype html|<html)/i, 'a web page'],
  [/^(?:\xEF\xBB\xBF)?\s*<\?xml/, 'an XML file'],
  [/^\0+$/, zerosKind],
]

function bytesAre(start: Buffer): string {
  const text = start.toString('latin1')
  const known = kinds.find(([pattern]) => pattern.test(text))
  if (known) return known[1]
  return /[\0-\x08\x0E-\x1A]/.test(text) ? unknownKind : textKind
}

/** Longer than the titles of books, the subtitles of old ones included. */
const longTitle = 1000

/** Adds what is wrong with a title that has been read. */
function checkTitle({ title = '' }: Book, problems: Problems): void {
  const warn = (code: 'title_long' | 'title_control_characters', message: string) =>
    problems.push({ severity: 'warning', code, message })
  if (title.length > longTitle) {
    const count = title.length.toLocaleString('en')
    warn('title_long', `The title has ${title.length >= textLimit ? 'more than ' : ''}${count} characters.`)
  }
  if (/[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFD]/u.test(title)) {
    warn(
      'title_control_characters',
      'The title has characters that nobody sees, or that show a fault of its encoding.',
    )
  }
}

/** What is read of a text at most. */
const textLimit = 100_000
