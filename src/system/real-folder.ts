import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { UsageFailure } from './errors.ts'
import { belongsToOther } from './ownership.ts'
import { unreadable } from './unreadable.ts'

/** The path of a folder without links. Throws UsageFailure `file_unreadable` if there is none, with `hint` for a file. */
export function realFolderOf(folder: string, hint: string): string {
  try {
    const path = realpathSync.native(folder)
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    throw unreadable(folder, error)
  }
  throw new UsageFailure(`${folder} is not a folder`, { code: 'file_unreadable', hint })
}

/**
 * Throws UsageFailure `unsafe_permissions` where a path is a link, or a folder of another user than this one and root, through
 * which files would get to where somebody else wants them. `flag` names another folder. With `make`, a missing one is made.
 */
export function requireRealFolder(path: string, flag: string, { make = false } = {}): void {
  if (make) makeOne(path)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  const fault = found.isSymbolicLink()
    ? 'is a link, which anybody may have made who can write to the folder'
    : !found.isDirectory()
      ? 'is not a folder'
      : belongsToOther(found)
        ? `belongs to another user (${found.uid})`
        : undefined
  if (fault === undefined) return
  throw new UsageFailure(`${path} ${fault}`, {
    code: 'unsafe_permissions',
    hint: `Remove it, or name the folder that you mean: ${flag} <folder>`,
  })
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o777 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
