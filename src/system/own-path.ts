import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ignoresCase } from './ignores-case.ts'

/**
 * The absolute path of a file, by which it is known again. Where the file system takes `Book.epub` and `BOOK.EPUB` for one
 * name, as that of Windows and macOS does, it is the path as the disk has it; a link keeps its own name.
 */
export function ownPath(path: string, platform: NodeJS.Platform = process.platform): string {
  const absolute = resolve(path)
  if (!ignoresCase(platform)) return absolute
  try {
    if (!lstatSync(absolute).isSymbolicLink()) return realpathSync.native(absolute)
    return join(realpathSync.native(dirname(absolute)), basename(absolute))
  } catch {
    // Whoever opens it says what is wrong.
    return absolute
  }
}
