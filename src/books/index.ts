import type { Book, ReadOptions } from './book.ts'
import { coverFilename } from './cover.ts'
import { containerPath, epubMediaType, readEpub } from './epub/index.ts'
import { coverLimit, type OpenFile, openRegularFile, unreadable } from './file.ts'
import { readLpf } from './lpf/index.ts'
import { notABook } from './not-a-book.ts'
import { openZip, type Zip } from './zip.ts'
import { EntryError } from './zip-entry.ts'

export type { Book, Problem } from './book.ts'
export { isIsbn } from './isbn.ts'

/**
 * Reads the metadata of a local book. The format is detected from the content, not from the file name. Faults of the book
 * are in its `problems`. Throws UsageFailure `file_unreadable` if the file cannot be read, and `not_a_book` if it is not an
 * EPUB, PDF or LPF.
 */
export async function readBook(path: string, options: ReadOptions = {}): Promise<Book> {
  return await withFile(path, async file => {
    const start = await startOf(file)
    if (start.length === 0) throw notABook(path, 'is empty', 'Save or export the book again.')
    if (isZip(start)) return await readZippedBook(path, file, options)
    if (start.includes('%PDF-')) return await (await import('./pdf/index.ts')).readPdf(path, file, options)
    throw notABook(path, start)
  })
}

/**
 * Extracts the cover image of a book that was read from the same path. Undefined if the book has none, or if it cannot be
 * extracted.
 */
export async function readCover(
  path: string,
  { cover }: Pick<Book, 'cover'>,
): Promise<{ bytes: Buffer; mediaType: string; filename: string } | undefined> {
  if (!cover) return undefined
  return await withFile(path, async file => {
    try {
      const bytes = await (await openZip(file))?.read(cover.path, coverLimit)
      return bytes && { bytes, mediaType: cover.mediaType, filename: coverFilename(cover) }
    } catch (error) {
      if (error instanceof EntryError) return undefined
      throw error
    }
  })
}

async function withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await openRegularFile(path)
  try {
    return await use(file)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? unreadable(path, error) : error
  } finally {
    await file.close()
  }
}

async function startOf(file: OpenFile): Promise<Buffer> {
  const start = Buffer.alloc(1024)
  return start.subarray(0, await file.read(start, 0))
}

const isZip = (start: Buffer): boolean => /^PK(?:\x03\x04|\x05\x06)/.test(start.toString('latin1', 0, 4))

/** The most problems that are listed. */
const problemLimit = 100

async function readZippedBook(path: string, file: OpenFile, options: ReadOptions): Promise<Book> {
  const zip = await openZip(file)
  if (!zip) throw notABook(path, 'is a zip that is cut short or damaged', 'Copy or download the book again.')
  const mimetype = (await zip.readStart('mimetype', 64).catch(() => undefined))?.toString('latin1').trim()
  const book =
    mimetype === epubMediaType || zip.entries.has(containerPath)
      ? await readEpub(zip, options)
      : await readLpf(zip, options)
  if (!book) throw notABook(path, zip)
  const problems = [...directoryProblems(zip), ...book.problems]
  book.problems = problems.slice(0, problemLimit)
  if (problems.length > problemLimit) {
    const message = `${problems.length - problemLimit} more problems are not listed.`
    const severity = problems.slice(problemLimit).some(problem => problem.severity === 'error')
      ? 'error'
      : 'warning'
    book.problems.push({ severity, code: 'more_problems', message })
  }
  // A copy, because a substring keeps the complete document in memory.
  return structuredClone(book)
}

function* directoryProblems({
  directoryError,
  duplicates,
  outside,
}: Zip): Generator<Book['problems'][number]> {
  if (directoryError !== undefined) {
    yield {
      severity: 'error',
      code: 'zip_damaged',
      message: `The directory of the zip is damaged: ${directoryError}.`,
    }
  }
  for (const name of outside) {
    const message = 'An entry of the zip has a name that leads out of the book.'
    yield { severity: 'error', code: 'entry_outside', message, place: name }
  }
  for (const name of duplicates) {
    const message = 'The zip has two entries of this name, and programs differ in which one they read.'
    yield { severity: 'error', code: 'entry_doubled', message, place: name }
  }
}
