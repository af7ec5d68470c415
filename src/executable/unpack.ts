import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTrustedFolder } from '../system/ownership.ts'
import { writeFile } from '../system/write-file.ts'

/** A file of the program: its path below the program's folder, with slashes, and the SHA-256 of its content in hex. */
export interface PackedFile {
  readonly path: string
  readonly sha256: string
}

/** The stats of the files when their content was last checked, by path. */
type Checked = Readonly<Record<string, string>>

/** How long the program of another version is kept after its last use, in milliseconds. */
const lifetime = 30 * 24 * 3_600_000
const day = 24 * 3_600_000

/** The folder of the program within a cache folder: one for each content, so that versions do not disturb each other. */
export const folderName = (files: readonly PackedFile[]): string =>
  `program-${hashOf(JSON.stringify(files)).slice(0, 16)}`

/**
 * Unpacks the program into the first of the cache folders that can be used, and returns where it is. Only the user may be
 * able to change the folder. A file that is there already is used if it has the content that was packed. Throws the error
 * of the last folder when none can be used.
 */
export function unpack(
  files: readonly PackedFile[],
  contentOf: (path: string) => Uint8Array,
  cacheFolders: readonly string[],
): string {
  let reason: unknown
  for (const cacheFolder of cacheFolders) {
    try {
      return unpackInto(cacheFolder, files, contentOf)
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
): string {
  const folder = join(cacheFolder, folderName(files))
  if (!isTrustedFolder(folder, { make: true })) throw new Error(`other users can change the folder ${folder}`)
  const checked = readChecked(folder)
  // To read all files takes several times as long as Node takes to start. A file that changes gets another time of change,
  // which no program can set.
  const changed = files.filter(({ path }) => (checked[path] ?? '') !== statsOf(join(folder, path)))
  for (const file of changed) {
    const path = join(folder, file.path)
    if (hasContent(path, file)) continue
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFile(path, contentOf(file.path), { isPrivate: true })
    if (!hasContent(path, file)) throw new Error(`${path} is not what was written to it`)
  }
  if (changed.length > 0) {
    writeFile(checkedFile(folder), JSON.stringify(checkedNow(folder, files)), { isPrivate: true })
    removeUnused(cacheFolder)
  }
  markUsed(folder)
  return folder
}

/** Whether a file is there with the content that was packed. */
export function hasContent(path: string, { sha256 }: PackedFile): boolean {
  try {
    return hashOf(readFileSync(path)) === sha256
  } catch {
    return false
  }
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const checkedFile = (folder: string): string => join(folder, 'checked.json')

const checkedNow = (folder: string, files: readonly PackedFile[]): Checked =>
  Object.fromEntries(files.map(({ path }) => [path, statsOf(join(folder, path)) ?? '']))

function readChecked(folder: string): Checked {
  try {
    return JSON.parse(readFileSync(checkedFile(folder), 'utf8'))
  } catch {
    return {}
  }
}

/** What changes with the content of a file; undefined if it is missing. */
function statsOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stats?.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : undefined
}

/** The time of the folder says when the program was last used, to the day. */
function markUsed(folder: string): void {
  const now = Date.now()
  if (now - statSync(folder).mtimeMs > day) utimesSync(folder, now / 1000, now / 1000)
}

/** Deletes programs of other versions that were not used for a month. A failure is no fault of this version. */
function removeUnused(cacheFolder: string): void {
  try {
    for (const name of readdirSync(cacheFolder)) {
      const path = join(cacheFolder, name)
      if (/^program-[0-9a-f]{16}$/.test(name) && Date.now() - statSync(path).mtimeMs > lifetime) {
        rmSync(path, { recursive: true, force: true })
      }
    }
  } catch {
    // Another process deletes the same folder, or this one may not.
  }
}
