import { basename } from 'node:path/posix'
import type { BookCover, Severity } from './book.ts'
import { coverLimit } from './file.ts'
import { isNoMedia } from './file-kind.ts'
import type { ProblemCode } from './hints.ts'
import { imageEndings, imageFacts, isNewerImage } from './image.ts'
import type { Zip } from './zip.ts'
import { EntryError } from './zip-entry.ts'

/** The bytes of an image that are read for its type and size; photos begin with long metadata. */
const headerBytes = 256 * 1024

/**
 * The type and size of the cover image in the zip; undefined if it is too large or not an image. A problem of the image itself
 * has its path as `place`; the others are of where the cover is named.
 */
export async function coverAt(
  zip: Zip,
  path: string,
  declaredType: string,
  alt: string | undefined,
  say: (severity: Severity, code: ProblemCode, message: string, place?: string) => void,
): Promise<BookCover | undefined> {
  const bytes = zip.entries.get(path)?.uncompressedSize ?? 0
  if (bytes > coverLimit) {
    say('warning', 'cover_too_large', `The cover ${path} is larger than ${coverLimit / 2 ** 20} MiB.`)
    return undefined
  }
  try {
    const start = await zip.readStart(path, headerBytes)
    const facts = imageFacts(start)
    const mediaType = facts?.mediaType ?? declaredType
    if (!mediaType.startsWith('image/')) {
      say('warning', 'cover_missing', `The cover ${path} is not an image.`)
      return undefined
    }
    if (!facts && !isNewerImage(start)) {
      const severity = isNoMedia(start) && mediaType !== 'image/svg+xml' ? 'error' : 'warning'
      say(severity, 'cover_unreadable', 'The cover cannot be read as an image.', path)
    } else if (declaredType && facts && facts.mediaType !== declaredType.replace('image/jpg', 'image/jpeg')) {
      say(
        'warning',
        'cover_type_wrong',
        `The cover ${path} is declared as ${declaredType} but is ${facts.mediaType}.`,
      )
    }
    return { path, ...facts, mediaType, bytes, ...(alt && { alt }) }
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    // That is said of every entry.
    if (error.code !== 'entry_damaged' && error.code !== 'entry_encrypted')
      say('warning', 'cover_unreadable', `The cover ${error.message}.`, path)
    return undefined
  }
}

/** A file name for a cover: its own name, with the extension of its type. */
export function coverFilename({ path, mediaType }: BookCover): string {
  const ending = imageEndings[mediaType]
  const own = basename(path).replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
  if (ending === undefined || ending.some(known => own.toLowerCase().endsWith(known))) return own || 'cover'
  return `${own.replace(/\.[^.]*$/, '') || 'cover'}${ending[0]}`
}
