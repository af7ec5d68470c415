import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageFailure } from '../errors.ts'

interface WriteOptions {
  /** Whether nobody but the user may read it; otherwise an earlier file's mode is kept, or the user's umask decides. */
  readonly isPrivate: boolean
  /** Whether it is to be on the disk when this returns, so that a power cut leaves the earlier file or this one. */
  readonly isDurable?: boolean
}

/**
 * Writes a file as a whole: into a fresh draft in the same folder, which then takes the file's name. Where that fails, for
 * want of room say, the earlier file stays as it was and the draft is removed. A symbolic link of that name is refused, and
 * never followed: whoever put it there could choose what is written over. Throws `file_unwritable`.
 */
export function writeFile(
  path: string,
  content: string | Uint8Array,
  { isPrivate, isDurable = false }: WriteOptions,
): void {
  let draft: string | undefined
  try {
    const earlier = regularFileAt(path)
    const name = draftIn(dirname(path))
    const file = openSync(name, 'wx', isPrivate ? 0o600 : 0o666)
    draft = name
    try {
      if (earlier && !isPrivate) fchmodSync(file, earlier.mode & 0o777)
      writeFileSync(file, content)
      if (isDurable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true })
    throw unwritable(path, error)
  }
}

/** Writes a file where there is none of that name, and no link either. Throws the system's error, such as `EEXIST`. */
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

/** Checks whether `writeFile` can be expected to write a file; throws `file_unwritable`. */
export function checkWritable(path: string): void {
  try {
    regularFileAt(path)
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** The failure that says why a file cannot be written. */
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

const reasons: Readonly<Record<string, { says?: string; hint?: string }>> = {
  ELOOP: {
    says: 'it is a symbolic link, and pubctl does not write through links',
    hint: 'Remove the link, or name the file itself.',
  },
  ENOTSUP: { says: 'it is not a regular file', hint: 'Name another file.' },
  EISDIR: { says: 'it is a folder', hint: 'Name a file.' },
  ENOENT: { says: 'its folder does not exist', hint: 'Create the folder, or name a file elsewhere.' },
  EEXIST: { hint: 'Another file has that name: move it away, or name a file elsewhere.' },
  EACCES: { hint: 'Check the permissions of the folder, or name a file elsewhere.' },
  EPERM: { hint: 'Check the permissions of the folder, or name a file elsewhere.' },
  EROFS: { hint: 'The disk is read-only: name a file elsewhere.' },
  EFBIG: { hint: 'The system does not allow a file of this size: name a file elsewhere.' },
  ENOSPC: { hint: 'The disk is full: free some space, or name a file elsewhere.' },
  EDQUOT: { hint: 'Your quota is used up: free some space, or name a file elsewhere.' },
}

/** What a file is at present, without following a link; throws for anything but a regular file. */
function regularFileAt(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return found
  const code = found.isSymbolicLink() ? 'ELOOP' : found.isDirectory() ? 'EISDIR' : 'ENOTSUP'
  throw Object.assign(new Error(code), { code })
}

/** A name that no file has; it need not be secret, since a draft is only made where nothing of its name lies. */
const draftIn = (folder: string): string =>
  join(folder, `.pubctl-${process.pid}-${Math.random().toString(36).slice(2)}`)
