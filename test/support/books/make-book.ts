import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../machine/pubctl.ts'

export { makeBook } from './book-bytes.ts'
export { type BookParts, honestMetadata, packageOf } from './package-document.ts'

/** Writes a file that is gone after the test, and gives its path. */
export function fileOf(content: string | Uint8Array, name = 'book.epub'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
