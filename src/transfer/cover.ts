import { basename, extname } from 'node:path'
import { readCoverFile } from '../books/file.ts'
import { UsageFailure } from '../errors.ts'
import type { Reading } from './reading.ts'

/** An image to send along with the book. */
export interface Cover {
  filename: string
  content: Uint8Array
}

/**
 * The cover to send with a book that was read: `auto` is the one in the book, `none` is none, anything else is the path
 * of an image file. Throws UsageFailure when that file cannot be read, is too large, or is no image by its name.
 */
export async function coverFor({ book, cover }: Reading, wish: string): Promise<Cover | undefined> {
  if (wish === 'none') return undefined
  if (wish === 'auto') {
    // The service reads the book's own cover as well; only pictures that any service can show are worth sending apart.
    const isShown = /^image\/(jpeg|png|gif|webp)$/.test(book.cover?.mediaType ?? '')
    return cover && isShown ? { filename: cover.filename, content: cover.bytes } : undefined
  }
  if (!/^\.(jpe?g|png|gif|webp|svg)$/i.test(extname(wish))) {
    throw new UsageFailure(`${wish} is not an image file by its name`, {
      hint: 'A cover is a JPEG, PNG, GIF, WebP or SVG file; "auto" and "none" are understood too.',
    })
  }
  return { filename: basename(wish), content: await readCoverFile(wish) }
}
