import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { draftIn, removeLeftDrafts } from './drafts.ts'
import { Failure, UsageFailure } from './errors.ts'
import { renameOver } from './rename-over.ts'
import { isUnfitName } from './unfit-name.ts'

interface WriteOptions {
  /** Whether only the user may read it. Otherwise it keeps the mode of an existing file, or gets that of the umask. */
  readonly isPrivate: boolean
  /** Whether to wait until it is on the disk, so that after a power failure either the old or the new file is there. */
  readonly isDurable?: boolean
  /**
   * Gives the complete draft another name, which it returns, where another program has the file open; undefined if that fails
   * as well. The failure names it. Without this, what was to be written is lost.
   */
  readonly nameOther?: (draft: string, path: string) => string | undefined
}

/**
 * Writes a file atomically: it writes a draft in the same folder and renames it. On failure, such as a full disk, the
 * existing file stays and the draft is deleted; the next write deletes that of a process that was killed. A symbolic link
 * is refused, because its owner could choose which file is overwritten. Throws UsageFailure `file_unwritable`.
 */
export function writeFile(path: string, content: string | Uint8Array, options: WriteOptions): void {
  writeThrough(path, file => writeFileSync(file, content), options)
}

/** Writes a file of lines like `writeFile`, without holding all of it in memory. */
export function writeLines(path: string, lines: Iterable<string>, options: WriteOptions): void {
  const write = (file: number) => {
    let waiting = ''
    for (const line of lines) {
      waiting += line
      if (waiting.length < 64 * 1024) continue
      writeFileSync(file, waiting)
      waiting = ''
    }
    writeFileSync(file, waiting)
  }
  writeThrough(path, write, options)
}

function writeThrough(
  path: string,
  write: (file: number) => void,
  { isPrivate, isDurable = false, nameOther }: WriteOptions,
): void {
  let draft: string | undefined
  try {
    const earlier = regularFileAt(path)
    const name = draftIn(dirname(path))
    const file = openSync(name, 'wx', isPrivate ? 0o600 : 0o666)
    draft = name
    try {
      if (earlier && !isPrivate) fchmodSync(file, earlier.mode & 0o777)
      write(file)
      if (isDurable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameOver(draft, path)
    removeLeftDrafts(dirname(path))
  } catch (error) {
    const isOpen = (error as NodeJS.ErrnoException).code === 'EBUSY'
    const other = isOpen && draft !== undefined ? nameOther?.(draft, path) : undefined
    if (draft !== undefined) rmSync(draft, { force: true })
    if (other !== undefined) throw writtenAs(path, other, error)
    throw error instanceof Failure ? error : unwritable(path, error)
  }
}

/** Writes a new file. Throws the system's error, such as `EEXIST` if a file or link of that name exists. */
export function writeNewFile(path: string, content: string | Uint8Array, { isPrivate }: WriteOptions): void {
  const file = openSync(path, 'wx', isPrivate ? 0o600 : 0o666)
  try {
    writeFileSync(file, content)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** How many bytes a file has; 0 if it does not exist. */
export const sizeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Throws UsageFailure `file_unwritable` if `writeFile` is going to fail. */
export function checkWritable(path: string): void {
  try {
    const isThere = regularFileAt(path) !== undefined
    accessSync(dirname(path), constants.W_OK)
    // Nothing can be renamed over a file that another program has open there, which it may have had for hours.
    if (process.platform === 'win32' && isThere) closeSync(openSync(path, 'r+'))
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** The failure for a file that cannot be written. */
export function unwritable(path: string, error: unknown): UsageFailure {
  if (error instanceof UsageFailure) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const { says = code || message, ...hint } = reasons[code] ?? {}
  return new UsageFailure(`cannot write ${path}: ${says}`, {
    code: 'file_unwritable',
    cause: error,
    ...hint,
  })
}

const writtenAs = (path: string, name: string, cause: unknown): UsageFailure =>
  new UsageFailure(`cannot write ${path}: ${openElsewhere.says}; it was written as ${name}`, {
    code: 'file_unwritable',
    hint: `Close ${basename(path)} there, and rename ${basename(name)}.`,
    cause,
  })

const openElsewhere = {
  says: 'another program has it open, such as Excel',
  hint: 'Close it there, or name another file.',
}

const reasons: Readonly<Record<string, { says?: string; hint?: string }>> = {
  ELOOP: {
    says: 'it is a symbolic link, and pubctl does not write through links',
    hint: 'Remove the link, or name the file itself.',
  },
  ENOTSUP: { says: 'it is not a regular file', hint: 'Name another file.' },
  UNFIT: { says: 'Windows can keep no file of that name', hint: 'Name another file.' },
  EISDIR: { says: 'it is a folder', hint: 'Name a file.' },
  ENOENT: { says: 'its folder does not exist', hint: 'Create the folder, or name a file elsewhere.' },
  EEXIST: { hint: 'Another file has that name: move it away, or name a file elsewhere.' },
  EACCES: { hint: 'Check the permissions of the folder, or name a file elsewhere.' },
  EPERM: { hint: 'Check the permissions of the folder, or name a file elsewhere.' },
  EBUSY: openElsewhere,
  EROFS: { hint: 'The disk is read-only: name a file elsewhere.' },
  EFBIG: { hint: 'The system does not allow a file of this size: name a file elsewhere.' },
  ENOSPC: { hint: 'The disk is full: free some space, or name a file elsewhere.' },
  EDQUOT: { hint: 'Your quota is used up: free some space, or name a file elsewhere.' },
}

/** The stats of a file, without following links; throws for anything but a regular file, and for a name that no file may have. */
export function regularFileAt(path: string): Stats | undefined {
  if (isUnfitName(path)) throw withCode('UNFIT')
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return found
  const code = found.isSymbolicLink() ? 'ELOOP' : found.isDirectory() ? 'EISDIR' : 'ENOTSUP'
  throw withCode(code)
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code })
