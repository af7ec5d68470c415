import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageFailure } from '../errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { unreadable } from '../system/unreadable.ts'
import type { WatchOptions } from './options.ts'

/** The watched folder and those that its files go to, as absolute paths. */
export interface Folders {
  readonly watched: string
  readonly done: string
  readonly failed: string
}

/**
 * Reads which folders are meant. Throws UsageFailure for a folder that is not there, and where files would be moved into
 * the folder that they are taken from.
 */
export function foldersOf(folder: string, { done, failed }: WatchOptions): Folders {
  const watched = realFolder(folder)
  const folders = {
    watched,
    done: resolve(done ?? join(watched, 'done')),
    failed: resolve(failed ?? join(watched, 'failed')),
  }
  for (const name of ['done', 'failed'] as const) {
    const path = folders[name]
    if (existsSync(path) && realpathSync(path) === watched) {
      throw new UsageFailure(`--${name} is the watched folder itself: ${path}`, {
        hint: 'Name a folder within it or elsewhere: what is moved there must not be found again.',
      })
    }
  }
  return folders
}

function realFolder(folder: string): string {
  try {
    const path = realpathSync(folder)
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    throw unreadable(folder, error)
  }
  throw new UsageFailure(`${folder} is not a folder`, {
    code: 'file_unreadable',
    hint: 'Name the folder that files are put into.',
  })
}

/** The folder for a file that was `below` the watched one; it is made if it is not there. Throws the system's error. */
export function destination(folder: string, below: string): string {
  const path = join(folder, below)
  makeFolder(path, 0o777)
  return path
}
