import { basename, extname } from 'node:path'
import { readSoundCover } from '../../books/cover-file.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import type { Reading } from './reading.ts'

/** An image to send along with the book. */
export interface Cover {
  filename: string
  content: Uint8Array
}

/**
 * The cover to send with a book that was read: `auto` is the one in the book, `none` is none, anything else is the path
 * of an image file. Throws UsageFailure when that file cannot be read, is too large, or is no sound image.
 */
export async function coverFor(
  { book, cover }: Reading,
  choice: string,
  mayRead: MayRead,
): Promise<Cover | undefined> {
  if (choice === 'none') return undefined
  if (choice === 'auto') {
    // The service extracts covers itself; only formats that it is sure to show are sent separately.
    const isShown = /^image\/(jpeg|png|gif|webp)$/.test(book.cover?.mediaType ?? '')
    return cover && isShown ? { filename: cover.filename, content: cover.bytes } : undefined
  }
  if (!/^\.(jpe?g|png|gif|webp|svg)$/i.test(extname(choice))) {
    throw new UsageFailure(`${choice} is not an image file by its name`, {
      hint: 'A cover is a JPEG, PNG, GIF, WebP or SVG file; "auto" and "none" are understood too.',
    })
  }
  return { filename: basename(choice), content: await readSoundCover(choice, mayRead) }
}
