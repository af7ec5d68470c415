import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageFailure } from './errors.ts'
import { shellWord } from './shell-word.ts'

type Owned = Pick<Stats, 'uid' | 'mode'>

/** The mode bits that let the group and all others write. */
const writableByOthers = 0o022
const sticky = 0o1000

/** The user that runs pubctl; undefined on Windows, where files have no such owners and modes. */
const user = (): number | undefined => process.geteuid?.()

/** Whether a file belongs to another user than this one and root. */
export const belongsToOther = ({ uid }: Owned): boolean => user() !== undefined && uid !== user() && uid !== 0

const isWritableByOthers = ({ mode }: Owned): boolean =>
  user() !== undefined && (mode & writableByOthers) !== 0

/** Whether a file belongs to the user, and no other user may write to it. */
export const isOwn = (stats: Owned): boolean =>
  user() === undefined || (stats.uid === user() && !isWritableByOthers(stats))

/**
 * Throws UsageFailure `unsafe_permissions` when a folder or file belongs to another user than this one and root, or others
 * may write to it: they may have changed its content. A path that is missing or cannot be read is ignored.
 */
export function checkOwnership(path: string): void {
  let link: Stats | undefined
  let stats: Stats | undefined
  try {
    link = lstatSync(path, { throwIfNoEntry: false })
    stats = link?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : link
  } catch {
    return
  }
  // The owner of a link can change its target at any time. The mode of a link means nothing.
  if (link?.isSymbolicLink() && belongsToOther(link)) throw unsafe(path, link)
  if (stats) refuse(path, stats)
}

/** Reads a file after the checks of `checkOwnership`, which are made on the open file so that it cannot be replaced. */
export function readOwnFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    refuse(path, fstatSync(file))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * Whether only the user and root can change the content of a folder or replace it. The same must hold for every folder above
 * it, and none may be a link. A folder above may be writable by others if it has the sticky bit, like /tmp, because they
 * cannot change other users' files in it. With `make`, missing folders are created for the user alone; throws the
 * system's error when that fails.
 */
export function isTrustedFolder(folder: string, { make = false, isAbove = false } = {}): boolean {
  const above = dirname(folder)
  if (above !== folder && !isTrustedFolder(above, { make, isAbove: true })) return false
  if (make) makeOne(folder)
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory() || belongsToOther(stats)) return false
  return !isWritableByOthers(stats) || (isAbove && (stats.mode & sticky) !== 0)
}

function makeOne(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })) return
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function refuse(path: string, stats: Stats): void {
  if (belongsToOther(stats) || isWritableByOthers(stats)) throw unsafe(path, stats)
}

function unsafe(path: string, stats: Stats): UsageFailure {
  const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file'
  if (belongsToOther(stats)) {
    return new UsageFailure(
      `the ${kind} ${path} belongs to another user (${stats.uid}, and pubctl runs as ${user()})`,
      {
        code: 'unsafe_permissions',
        hint: `Use a folder of your own, such as a new one within a mounted volume, or run as root: chown ${user()} ${shellWord(path)}`,
      },
    )
  }
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
  return new UsageFailure(`other users of this machine can write to the ${kind} ${path} (mode ${mode})`, {
    code: 'unsafe_permissions',
    hint: `Check that its contents are yours, then run: chmod go-w ${shellWord(path)}`,
  })
}
