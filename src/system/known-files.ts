import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOwn, isTrustedFolder } from './ownership.ts'
import { writeFile } from './write-file.ts'

/**
 * Files whose content is known, by path, each with its mark. The record of them is kept apart from them: what is restored
 * into a cache folder or checked out may hold any file, and none that the record knows.
 */
export type KnownFiles = Readonly<Record<string, string>>

/** What changes with the content of a file. No program can set the time of change, nor choose the number of the file. */
export const fileMarkOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ')

/** The mark of the regular file at a path; undefined if there is none. */
export function markAt(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stats?.isFile() ? fileMarkOf(stats) : undefined
}

/** Reads the record in a file. It is empty where there is none, or where others than the user could change it. */
export function readKnown(record: string): KnownFiles {
  try {
    const folder = realpathSync.native(dirname(record))
    if (!isTrustedFolder(folder)) return {}
    const text = readKnownFile(join(folder, basename(record)))
    return text === undefined ? {} : (JSON.parse(text.toString()) ?? {})
  } catch {
    return {}
  }
}

/**
 * Reads a file of the user's own; with a mark, only if that is the mark of it. Undefined otherwise. The checks are made on the
 * open file, so it cannot be replaced in between.
 */
export function readKnownFile(path: string, mark?: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(file, { bigint: true })
    const isUsers = stats.isFile() && isOwn({ uid: Number(stats.uid), mode: Number(stats.mode) })
    return isUsers && (mark === undefined || fileMarkOf(stats) === mark) ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Whether a record can be written, so that others can be told before they write what it is to know. Its folder is made. */
export function canRecord(record: string): boolean {
  const folder = dirname(record)
  try {
    const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined
    if (!isTrustedFolder(isThere ? realpathSync.native(folder) : folder, { make: true })) return false
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Adds files to a record, and drops those from it that are no longer as it knows them. Throws UsageFailure `file_unwritable`. */
export function addKnown(record: string, files: KnownFiles): void {
  const known = Object.entries({ ...readKnown(record), ...files }).filter(
    ([path, mark]) => markAt(path) === mark,
  )
  writeFile(record, JSON.stringify(Object.fromEntries(known)), { isPrivate: true })
}
