import { UsageFailure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import type { OpenFile } from '../system/open-file.ts'
import { soundIn } from './audio/index.ts'
import { type Book, emptyBook } from './book.ts'
import { compactIsbn, isIsbn } from './isbn.ts'

/** Reads a file of sound as an audiobook of one track; of other sound than MP3 and MP4 nothing is known. */
export async function readSoundFile(path: string, file: OpenFile): Promise<Book> {
  const sound = await soundIn(path, file).catch(error => {
    if (error instanceof UsageFailure) return undefined
    throw error
  })
  const book = emptyBook('Audio', sound?.mediaType ?? 'application/octet-stream')
  book.trackCount = 1
  if (sound === undefined) return book
  const { tags, duration } = sound
  const isbn = compactIsbn(tags.isbn ?? '')
  book.authors = [...(tags.authors ?? [])]
  return {
    ...book,
    ...given({ title: tags.album ?? tags.title, language: tags.language, publisher: tags.publisher }),
    ...(isIsbn(isbn) && { isbn }),
    duration: Math.round(duration * 1000) / 1000,
  }
}
