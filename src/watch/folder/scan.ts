import { type BigIntStats, type Dirent, lstat as lstatOf } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readdir } from '../../system/files.ts'
import { byName } from '../../system/natural-order.ts'
import { isSetAside } from '../../system/set-aside.ts'
import { type FileKind, isUnfinishedName, kindOf, type Trigger } from './names.ts'

/** What tells whether a file has changed. Times are in nanoseconds. */
export interface Stamp {
  readonly bytes: bigint
  readonly modified: bigint
  readonly changed: bigint
  readonly inode: bigint
  readonly device: bigint
}

/** A file that a scan has found. */
export interface Seen {
  /** Absolute. */
  readonly path: string
  /** Its folder below the watched one, empty for that itself. */
  readonly below: string
  readonly name: string
  readonly kind: FileKind
  readonly stamp: Stamp
  /** The trigger beside it, if there is one. */
  readonly trigger: string | undefined
}

/** Something in the folder that is left alone, and why. */
interface LeftAlone {
  readonly path: string
  readonly why: string
}

export interface Scan {
  readonly files: readonly Seen[]
  readonly leftAlone: readonly LeftAlone[]
  /** Files that a process was moving when it was killed. */
  readonly setAside: readonly string[]
}

interface ScanOptions {
  readonly recursive: boolean
  readonly trigger?: Trigger | undefined
  /** Absolute paths of folders that are not looked into, such as that of what is done. */
  readonly excluded: ReadonlySet<string>
}

const lstat = promisify(lstatOf) as (path: string, options: { bigint: true }) => Promise<BigIntStats>

/** How many files are looked at at a time. */
const atATime = 64

/** Looks through a folder. Throws the system's error if the folder itself cannot be read. */
export async function scanFolder(folder: string, options: ScanOptions): Promise<Scan> {
  const files: Seen[] = []
  const leftAlone: LeftAlone[] = []
  const setAside: string[] = []
  const open = ['']
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const path = join(folder, below)
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (below === '') throw error
      // A folder that was moved away since is no longer ours; one that cannot be read is said.
      if (error.code !== 'ENOENT')
        leftAlone.push({ path, why: `the folder cannot be read: ${error.code ?? error.message}` })
      return []
    })
    const triggerOf = options.trigger?.among(entries.map(({ name }) => name))
    const regular: Dirent[] = []
    for (const entry of entries) {
      const { name } = entry
      const inside = join(path, name)
      if (isSetAside(inside)) setAside.push(inside)
      if (name.startsWith('.') || options.excluded.has(inside)) continue
      if (entry.isDirectory()) {
        if (options.recursive) open.push(join(below, name))
        else leftAlone.push({ path: inside, why: 'it is a folder, and --recursive is not given' })
      } else if (isUnfinishedName(name) || options.trigger?.isTrigger(name)) continue
      // Windows lists files as links that are none, such as those of which a disk keeps one copy; their stamp tells.
      else if (!entry.isFile() && !entry.isSymbolicLink())
        leftAlone.push({ path: inside, why: 'it is a pipe, socket or device' })
      else if (kindOf(name) === 'other')
        leftAlone.push({ path: inside, why: 'it is neither a book nor a sheet nor an ONIX message' })
      else regular.push(entry)
    }
    for (let start = 0; start < regular.length; start += atATime) {
      const found = regular.slice(start, start + atATime).map(async entry => {
        const { name } = entry
        const stamp = await stampOf(join(path, name))
        if (stamp === undefined && entry.isSymbolicLink())
          leftAlone.push({ path: join(path, name), why: 'it is a link, and links are not followed' })
        // Node puts a replacement character into a name that is not UTF-8, and then finds no file.
        if (stamp === undefined && name.includes('\ufffd'))
          leftAlone.push({ path: join(path, name), why: 'its name is not UTF-8' })
        const trigger = triggerOf?.(name)
        return stamp && { path: join(path, name), below, name, kind: kindOf(name), stamp, trigger }
      })
      files.push(...(await Promise.all(found)).filter(each => each !== undefined))
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) => byName(a.path, b.path)
  return { files: files.sort(byPath), leftAlone: leftAlone.sort(byPath), setAside }
}

/** The stamp of a regular file; undefined if there is none. */
export async function stampOf(path: string): Promise<Stamp | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ino, dev } = found
  return { bytes: size, modified: mtimeNs, changed: ctimeNs, inode: ino, device: dev }
}

/** Whether a file was not touched: the time of its last change tells even where a writer sets the others back. */
export const isSameStamp = (a: Stamp, b: Stamp): boolean => isSameFile(a, b) && a.changed === b.changed

/** Whether it is the same file with the same size and time; a link to it, or another name, makes no difference. */
export const isSameFile = (a: Stamp, b: Stamp): boolean =>
  a.bytes === b.bytes && a.modified === b.modified && a.inode === b.inode && a.device === b.device
