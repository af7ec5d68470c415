import { type Book, emptyBook } from './book.ts'
import { EntryTrouble, type Zip } from './zip.ts'

const lpfMediaType = 'application/lpf+zip'
const manifestPath = 'publication.json'
const manifestLimit = 1024 * 1024

/** Reads a packaged publication by its manifest; undefined when the zip has none. */
export async function readLpf(zip: Zip): Promise<Book | undefined> {
  if (!zip.entries.has(manifestPath)) return undefined
  const book = emptyBook('Audio', lpfMediaType)
  try {
    const manifest: unknown = JSON.parse((await zip.read(manifestPath, manifestLimit)).toString('utf8'))
    const { name } = Object(manifest) as { name?: unknown }
    if (typeof name === 'string' && name.trim()) {
      book.title = name.trim()
      book.titles.push({ text: book.title })
    }
  } catch (error) {
    const message =
      error instanceof EntryTrouble ? `${manifestPath} ${error.message}.` : 'The manifest is not sound JSON.'
    book.problems.push({ severity: 'error', code: 'manifest_unreadable', message, place: manifestPath })
  }
  return book
}
