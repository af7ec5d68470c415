import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { ownPath } from '../system/own-path.ts'
import { realFolderOf, requireRealFolder } from '../system/real-folder.ts'
import { unreadable } from '../system/unreadable.ts'
import type { WatchOptions } from './options.ts'

/** The watched folder and those that its files go to, as absolute paths without links. */
export interface Folders {
  readonly watched: string
  readonly done: string
  readonly failed: string
  /** Which of them the user has named. */
  readonly named: { readonly done: boolean; readonly failed: boolean }
  /** What is in the watched folder and is not looked into. */
  readonly excluded: ReadonlySet<string>
}

type Target = 'done' | 'failed'

/**
 * Reads which folders are meant. Throws UsageFailure for a folder that is not there, where files would be moved into the
 * folder that they are taken from, and where somebody else has made `done` or `failed`.
 */
export function foldersOf(folder: string, { done, failed }: WatchOptions): Folders {
  const watched = realFolderOf(folder, 'Name the folder that files are put into.')
  const pathOf = (name: Target, given: string | undefined) =>
    // Somebody may have made one in another case, such as `Done`, which is the same folder on Windows.
    given === undefined ? ownPath(join(watched, name)) : realPathOf(resolve(given))
  const folders = {
    watched,
    done: pathOf('done', done),
    failed: pathOf('failed', failed),
    named: { done: done !== undefined, failed: failed !== undefined },
  }
  for (const name of ['done', 'failed'] as const) {
    const path = folders[name]
    if (path === watched) {
      throw new UsageFailure(`--${name} is the watched folder itself: ${path}`, {
        hint: 'Name a folder within it or elsewhere: what is moved there must not be found again.',
      })
    }
    if (!folders.named[name]) requireRealFolder(path, `--${name}`)
  }
  // A link that the user named is in the folder under its own name.
  const named = [done, failed].flatMap(each => (each === undefined ? [] : [realEntry(resolve(each))]))
  return { ...folders, excluded: new Set([folders.done, folders.failed, ...named]) }
}

/** A path without links, of which the last parts need not be there yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw unreadable(path, error)
    return join(realPathOf(above), basename(path))
  }
}

/** Where an entry is, which may itself be a link. */
const realEntry = (path: string): string => join(realPathOf(dirname(path)), basename(path))

/**
 * The folder for a file that was `below` the watched one; it is made if it is not there. Whoever puts files into the watched
 * folder could have put a link there since it was last looked at, so this is called again before each move. Throws UsageFailure
 * `unsafe_permissions` and the system's error.
 */
export function destination(folders: Folders, to: Target, below: string): string {
  const base = folders.named[to] ? folders[to] : folders.watched
  if (folders.named[to]) {
    makeFolder(base, 0o777)
    if (realpathSync.native(base) !== base)
      throw new UsageFailure(`${base} leads elsewhere since the watcher began`, {
        code: 'unsafe_permissions',
      })
  }
  const path = join(folders[to], below)
  const parts = relative(base, path).split(sep).filter(Boolean)
  for (const [index] of parts.entries())
    requireRealFolder(join(base, ...parts.slice(0, index + 1)), `--${to}`, { make: true })
  return path
}
