import { lstatSync } from 'node:fs'
import { extname } from 'node:path'

/** `book.epub`, `book-2.epub`, `book-3.epub` and so on. */
export function* namesLike(name: string): Generator<string> {
  yield name
  const extension = extname(name)
  const stem = fittingName(name.slice(0, name.length - extension.length), 220)
  for (let number = 2; number < 100_000; number++) yield `${stem}-${number}${extension}`
}

/** A name of at most so many bytes, with its extension. */
export function fittingName(name: string, bytes: number): string {
  const extension = extname(name)
  let stem = name.slice(0, name.length - extension.length)
  while (stem !== '' && Buffer.byteLength(stem + extension) > bytes) stem = [...stem].slice(0, -1).join('')
  return stem + extension
}

/** Whether anything has this path, be it a link that leads nowhere. Nothing has one that the system refuses or cannot follow. */
export function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
