import { basename, extname } from 'node:path'
import { unreadable } from '../books/file.ts'
import { type Book, readCover } from '../books/index.ts'
import { UsageFailure } from '../errors.ts'
import { readFile } from '../system/files.ts'

/** An image to send along with the book. */
export interface Cover {
  filename: string
  content: Buffer
}

/**
 * The cover to send: `auto` is the one in the book, `none` is none, anything else is the path of an image file. Throws
 * UsageFailure when that file cannot be read or is no image by its name.
 */
export async function coverFor(
  path: string,
  book: Pick<Book, 'cover'>,
  wish: string,
): Promise<Cover | undefined> {
  if (wish === 'none') return undefined
  if (wish === 'auto') {
    // The service reads the book's own cover as well; only pictures that any service can show are worth sending apart.
    if (!book.cover || !/^image\/(jpeg|png|gif|webp)$/.test(book.cover.mediaType)) return undefined
    const found = await readCover(path, book)
    return found && { filename: found.filename, content: found.bytes }
  }
  if (!/^\.(jpe?g|png|gif|webp|svg)$/i.test(extname(wish))) {
    throw new UsageFailure(`${wish} is not an image file by its name`, {
      hint: 'A cover is a JPEG, PNG, GIF, WebP or SVG file; "auto" and "none" are understood too.',
    })
  }
  const content = await readFile(wish).catch(error => {
    throw unreadable(wish, error)
  })
  return { filename: basename(wish), content }
}
