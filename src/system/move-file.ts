import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { draftIn } from './drafts.ts'
import { lifetimeOfMarked, processMark, processMarkPattern } from './process-mark.ts'

/** Whether a file is still the one that is to be moved; it gets its path, which may be a new one. */
type IsExpected = (path: string) => Promise<boolean>

interface MoveOptions {
  readonly isExpected: IsExpected
  /** The SHA-256 of a file in hexadecimal, to compare a copy with the original. */
  readonly hash: (path: string) => Promise<string>
}

/** The outcome of a move: another file has the name, or the file is no longer the one that was to be moved. */
export type Moved = 'moved' | 'taken' | 'changed'

const hasNoLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** `book.epub`, `book-2.epub`, `book-3.epub` and so on. */
export function* namesLike(name: string): Generator<string> {
  yield name
  const extension = extname(name)
  const stem = shortened(name.slice(0, name.length - extension.length), 220)
  for (let number = 2; number < 100_000; number++) yield `${stem}-${number}${extension}`
}

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
  const aside = asideOf(from)
  renameSync(from, aside)
  if (isSameFile(aside, to)) unlinkSync(aside)
  else putBack(aside, from)
  return 'moved'
}

/** Gives a file its name back; if that is taken again, the name that is most like it. */
function putBack(aside: string, from: string): void {
  for (const name of namesLike(from)) {
    if (!nameDraft(aside, name)) continue
    rmSync(aside, { force: true })
    return
  }
}

/** A name to put a file aside for a moment, from which its own name can be told. */
const asideOf = (path: string): string =>
  join(dirname(path), `.pubctl-moving-${processMark()}-${shortened(basename(path), 180)}`)

const asideName = new RegExp(`^\\.pubctl-moving-(${processMarkPattern})-(.+)$`, 's')

/** Whether anything has this path, be it a link that leads nowhere. */
export const existsAt = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/**
 * Whether a file was put aside by a process that was killed. A file is aside for a moment only, so one of another machine that
 * shares the folder is left too.
 */
export function isLeftAside(path: string): boolean {
  const [, mark] = asideName.exec(basename(path)) ?? []
  if (mark === undefined) return false
  const lifetime = lifetimeOfMarked(mark, 0)
  if (lifetime === 0) return true
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.ctimeMs > lifetime
}

/** Gives a file its name back that was put aside by a process that was killed. */
export function restoreAside(path: string): void {
  const [, , name] = asideName.exec(basename(path)) ?? []
  if (name !== undefined) putBack(path, join(dirname(path), name))
}

/** A name of at most so many bytes, with its extension. */
export function shortened(name: string, bytes: number): string {
  const extension = extname(name)
  let stem = name.slice(0, name.length - extension.length)
  while (stem !== '' && Buffer.byteLength(stem + extension) > bytes) stem = [...stem].slice(0, -1).join('')
  return stem + extension
}

/** For file systems without hard links: reserves the name with an empty file, and replaces that. */
async function renameTo(from: string, to: string, { isExpected }: MoveOptions): Promise<Moved> {
  if (!reserve(to)) return 'taken'
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
  if (await isExpected(to)) return 'moved'
  putBack(to, from)
  return 'changed'
}

function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
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
  const aside = asideOf(from)
  renameSync(from, aside)
  if (await isExpected(aside)) unlinkSync(aside)
  else putBack(aside, from)
  return 'moved'
}

/** Gives a complete file its name unless that is taken. */
function nameDraft(draft: string, to: string): boolean {
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

/** Waits until a file or a folder is on the disk, where the system can say so. */
function toDisk(path: string): void {
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

/** Writes a new file that is there as a whole or not at all; false if a file of that name exists. */
export function writeNewWhole(path: string, content: string): boolean {
  const draft = draftIn(dirname(path))
  try {
    writeFileSync(draft, content, { flag: 'wx' })
    toDisk(draft)
    return nameDraft(draft, path)
  } finally {
    rmSync(draft, { force: true })
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
