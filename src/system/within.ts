import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or below it, without a look at the disk. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether a path is below a folder, and not the folder itself. */
export const isBelow = (folder: string, path: string): boolean =>
  relative(folder, path) !== '' && isWithin(folder, path)

/** Whether a path is really outside a folder, by a link. The folder is given by its real path. */
export function leadsOut(folder: string, path: string): boolean {
  try {
    return !isWithin(folder, realpathSync.native(path))
  } catch {
    // It leads nowhere, and whoever reads it says so.
    return false
  }
}
