import { lstatSync } from 'node:fs'
import { extname } from 'node:path'

/** `book.epub`, `book-2.epub`, `book-3.epub` and so on. */
export function* namesLike(name: string): Generator<string> {
  yield name
  const extension = extname(name)
  const stem = fittingName(name.slice(0, name.length - extension.length), 220)
  for (let number = 2; number < 100_000; number++) yield `${stem}-${number}${extension}`
}

/** A name of at most so many bytes, with its extension if that fits as well. */
export function fittingName(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name
  const extension = extname(name)
  const room = bytes - Buffer.byteLength(extension)
  return room > 0 ? beginningOf(name, room) + extension : beginningOf(name, bytes)
}

/** As many letters as fit into so many bytes. */
const beginningOf = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)

/** Whether anything has this path, be it a link that leads nowhere. Nothing has one that the system refuses or cannot follow. */
export function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
