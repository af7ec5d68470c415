import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { draftIn } from './drafts.ts'
import { renameOver } from './rename-over.ts'

/** What systems say of a hard link where the file system has none. exFAT and some network drives on Windows say the last three. */
export const hasNoLinks = [
  ...['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'],
  ...['EISDIR', 'EINVAL', 'UNKNOWN'],
]

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Writes a new file that is there complete or not at all; false if a file of that name exists. */
export function writeCompleteFile(path: string, content: string, mode = 0o666): boolean {
  const draft = draftIn(dirname(path))
  try {
    const file = openSync(draft, 'wx', mode)
    try {
      writeFileSync(file, content)
      whereTheSystemCan(() => fsyncSync(file))
    } finally {
      closeSync(file)
    }
    return nameDraft(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Gives a complete file its name unless that is taken. */
export function nameDraft(draft: string, to: string): boolean {
  try {
    linkSync(draft, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!hasNoLinks.includes(codeOf(error))) throw error
    if (!reserve(to)) return false
    renameOver(draft, to)
    return true
  }
}

export function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Waits until a file or a folder is on the disk, where the system can say so. */
export function toDisk(path: string): void {
  whereTheSystemCan(() => {
    const file = openToFlush(path)
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/** Windows flushes only what is open to be written. A folder, and a file that is read-only, can be opened to be read alone. */
function openToFlush(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch {
    return openSync(path, 'r')
  }
}

/** Windows flushes no folder, and some file systems flush nothing. */
function whereTheSystemCan(flush: () => void): void {
  try {
    flush()
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'EBADF'].includes(codeOf(error))) throw error
  }
}

/**
 * The text of a regular file of at most so many bytes; undefined if there is none. Throws the system's error, and `ENOTSUP` for a
 * link, pipe or device, which another user may have put there, and `EFBIG` for a larger file.
 */
export function textOfFile(path: string, most: number): string | undefined {
  const file = openRegular(path, constants.O_RDONLY)
  if (file === undefined) return undefined
  try {
    return contentOf(file, most)
  } finally {
    closeSync(file)
  }
}

/** Opens a regular file; undefined if there is none. Nothing else is opened, since to open or read it may take for ever. */
export function openRegular(path: string, flags: number): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile()) throw withCode('ENOTSUP')
  let file: number
  try {
    // Others may have put another thing there meanwhile.
    file = openSync(path, flags | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw withCode('ENOTSUP')
}

/** The text of an open file, from its start. Throws `EFBIG` for one of more bytes, also if it grows while it is read. */
export function contentOf(file: number, most: number): string {
  const content = Buffer.alloc(Math.min(fstatSync(file).size, most) + 1)
  let filled = 0
  for (let count = -1; count !== 0 && filled < content.length; filled += count)
    count = readSync(file, content, filled, content.length - filled, filled)
  if (filled === content.length) throw withCode('EFBIG')
  return content.toString('utf8', 0, filled)
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code })
