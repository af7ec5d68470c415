import {
  type BigIntStats,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  rmSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, hasNoLinks, nameDraft, reserve, toDisk } from './complete-file.ts'
import { draftIn } from './drafts.ts'
import { existsAt } from './free-names.ts'
import { renameOver } from './rename-over.ts'
import { putBack, setAsideName } from './set-aside.ts'

/** Whether a file is still the one that is to be moved; it gets its path, which may be a new one. */
type IsExpected = (path: string) => Promise<boolean>

interface MoveOptions {
  readonly isExpected: IsExpected
  /** The SHA-256 of a file in hexadecimal, to compare a copy with the original. */
  readonly hash: (path: string) => Promise<string>
}

/** The outcome of a move: another file has the name, or the file is no longer the one that was to be moved. */
export type Moved = 'moved' | 'taken' | 'changed'

/**
 * Gives a file a new path. Nothing is ever overwritten, and nothing that was put in the file's place meanwhile is moved or
 * deleted. Between file systems it is copied, compared and only then removed. A move that was interrupted is completed by
 * the next one. Throws the system's error.
 */
export async function moveFile(from: string, to: string, options: MoveOptions): Promise<Moved> {
  if (!(await options.isExpected(from))) return 'changed'
  try {
    linkSync(from, to)
  } catch (error) {
    const code = codeOf(error)
    // A process that was killed had linked it, and had not removed the old name.
    if (code === 'EEXIST' && isSameFile(from, to)) return await removeOldName(from, to)
    // The system looks at the name before it looks at the disk.
    if (code === 'EEXIST' && lstatSync(from).dev === lstatSync(dirname(to)).dev) return 'taken'
    if (code === 'EXDEV' || code === 'EEXIST') return await copyTo(from, to, options)
    if (hasNoLinks.includes(code)) return await renameTo(from, to, options)
    throw error
  }
  if (await options.isExpected(to)) return await removeOldName(from, to)
  unlinkSync(to)
  return 'changed'
}

const isSameFile = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map(path => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  return isSame(one, other)
}

const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev

/**
 * Removes the old name of a file that has a new one. The name is renamed first: then it can be seen whether another file
 * has got it meanwhile, which is put back.
 */
async function removeOldName(from: string, to: string): Promise<Moved> {
  const aside = setAsideName(from)
  renameOver(from, aside)
  if (isSameFile(aside, to)) unlinkSync(aside)
  else putBack(aside, from)
  return 'moved'
}

/** For file systems without hard links: reserves the name with an empty file, and replaces that. */
async function renameTo(from: string, to: string, { isExpected }: MoveOptions): Promise<Moved> {
  if (!reserve(to)) return 'taken'
  try {
    renameOver(from, to)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
  if (await isExpected(to)) return 'moved'
  putBack(to, from)
  return 'changed'
}

/** Between file systems. The copy gets its name once it is complete and compared. */
async function copyTo(from: string, to: string, { isExpected, hash }: MoveOptions): Promise<Moved> {
  const wanted = await hash(from)
  if (existsAt(to)) {
    // A process that was killed had copied it, and had not removed the original.
    if (!lstatSync(to).isFile() || (await hash(to)) !== wanted) return 'taken'
  } else {
    const draft = draftIn(dirname(to))
    try {
      copyFileSync(from, draft, constants.COPYFILE_EXCL)
      const { atime, mtime } = lstatSync(from)
      if ((await hash(draft)) !== wanted || !(await isExpected(from))) return 'changed'
      // Late, because a draft of long ago looks like one that was left.
      utimesSync(draft, atime, mtime)
      toDisk(draft)
      if (!nameDraft(draft, to)) return 'taken'
    } finally {
      rmSync(draft, { force: true })
    }
    toDisk(dirname(to))
  }
  const aside = setAsideName(from)
  renameOver(from, aside)
  if (await isExpected(aside)) unlinkSync(aside)
  else putBack(aside, from)
  return 'moved'
}
