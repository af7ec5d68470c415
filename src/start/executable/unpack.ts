import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import {
  addKnown,
  canRecord,
  type KnownFiles,
  markAt,
  readKnown,
  readKnownFile,
} from '../../system/known-files.ts'
import { isOwn, isTrustedFolder } from '../../system/ownership.ts'
import { replaceFolder } from '../../system/replace-folder.ts'
import { writeNewFile } from '../../system/write-file.ts'

/** A file of the program: its path below the program's folder, with slashes, and the SHA-256 of its content in hex. */
export interface PackedFile {
  readonly path: string
  readonly sha256: string
}

/** How long the program of another version is kept after its last use, in milliseconds. */
const lifetime = 30 * 24 * 3_600_000
const day = 24 * 3_600_000

/** The folder of the program within a cache folder: one for each content, so that versions do not disturb each other. */
export const folderName = (files: readonly PackedFile[]): string =>
  `program-${hashOf(JSON.stringify(files)).slice(0, 16)}`

/**
 * Unpacks the program into the first of the cache folders that can be used, and returns where it is. Only the user may be
 * able to change the folder. One that is there already is used if it holds exactly what was packed, and is replaced whole
 * otherwise. The record has the files whose content was checked. Throws the error of the last folder when none can be used.
 */
export function unpack(
  files: readonly PackedFile[],
  contentOf: (path: string) => Uint8Array,
  cacheFolders: readonly string[],
  record: string | undefined,
): string {
  let reason: unknown
  for (const cacheFolder of cacheFolders) {
    try {
      return unpackInto(cacheFolder, files, contentOf, record)
    } catch (error) {
      reason = error
    }
  }
  throw reason
}

function unpackInto(
  cacheFolder: string,
  files: readonly PackedFile[],
  contentOf: (path: string) => Uint8Array,
  record: string | undefined,
): string {
  const folder = join(cacheFolder, folderName(files))
  if (!isTrustedFolder(cacheFolder, { make: true })) {
    throw new Error(`other users can change the folder ${cacheFolder}`)
  }
  if (!isComplete(folder, files, record)) {
    replaceFolder(folder, draft => {
      for (const { path } of files) {
        const file = join(draft, path)
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeNewFile(file, contentOf(path), { isPrivate: true })
      }
    })
    // Another process may have been first. Its folder is looked at as any other.
    if (!isComplete(folder, files, record)) throw new Error(`${folder} is not what was written to it`)
    removeUnused(cacheFolder)
  }
  markUsed(folder)
  return folder
}

/**
 * Whether a folder holds the files that were packed, with their content, and nothing else: Node would find a module that is
 * not one of them before one that is. To read all files takes several times as long as Node takes to start, so those that
 * the record knows are not read again.
 */
export function isComplete(
  folder: string,
  files: readonly PackedFile[],
  record: string | undefined,
): boolean {
  if (!isTrustedFolder(folder) || !hasNamesOf(folder, files)) return false
  const known = record === undefined ? {} : readKnown(record)
  const checked: Record<string, string> = {}
  for (const { path, sha256 } of files) {
    const file = join(folder, path)
    const mark = markAt(file)
    if (mark === undefined) return false
    if (known[file] === mark) continue
    const content = readKnownFile(file, mark)
    if (content === undefined || hashOf(content) !== sha256) return false
    checked[file] = mark
  }
  if (Object.keys(checked).length > 0 && record !== undefined) remember(record, checked)
  return true
}

/** Whether the files and folders below a folder are those of the packed files, and each folder is the user's own. */
function hasNamesOf(folder: string, files: readonly PackedFile[]): boolean {
  const expected = new Set(files.map(({ path }) => path))
  const folders = new Set([...expected].flatMap(foldersAbove))
  const below = (path: string): boolean =>
    readdirSync(join(folder, path), { withFileTypes: true }).every(entry => {
      const name = posix.join(path, entry.name)
      if (!entry.isDirectory()) return entry.isFile() && expected.delete(name)
      return folders.has(name) && isOwn(lstatSync(join(folder, name))) && below(name)
    })
  return below('') && expected.size === 0
}

const foldersAbove = (path: string): string[] => {
  const above = posix.dirname(path)
  return above === '.' ? [] : [above, ...foldersAbove(above)]
}

/** Without the record, all files are read again the next time. */
function remember(record: string, checked: KnownFiles): void {
  try {
    if (canRecord(record)) addKnown(record, checked)
  } catch {
    // It cannot be written.
  }
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** The time of the folder says when the program was last used, to the day. */
function markUsed(folder: string): void {
  const now = Date.now()
  if (now - statSync(folder).mtimeMs > day) utimesSync(folder, now / 1000, now / 1000)
}

/**
 * Deletes programs of other versions that were not used for a month, and drafts that were left. A failure is no fault of this
 * version.
 */
function removeUnused(cacheFolder: string): void {
  try {
    for (const name of readdirSync(cacheFolder)) {
      const path = join(cacheFolder, name)
      if (/^program-[0-9a-f]{16}(?:\.\w+)?$/.test(name) && Date.now() - statSync(path).mtimeMs > lifetime) {
        rmSync(path, { recursive: true, force: true })
      }
    }
  } catch {
    // Another process deletes the same folder, or this one may not.
  }
}
