import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { draftIn } from './drafts.ts'

export const hasNoLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Writes a new file that is there as a whole or not at all; false if a file of that name exists. */
export function writeNewWhole(path: string, content: string, mode = 0o666): boolean {
  const draft = draftIn(dirname(path))
  try {
    writeFileSync(draft, content, { flag: 'wx', mode })
    toDisk(draft)
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
    renameSync(draft, to)
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
  try {
    const file = openSync(path, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'EBADF'].includes(codeOf(error))) throw error
  }
}

/** The text of a small file; undefined if there is none. */
export function textOfFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
