import { isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl'
import type { ZipEntry } from './zip-entry.ts'

/** What the directory of a zip says. */
export interface ZipDirectory {
  /** By name, in the directory's order. Names that lead out of the book, and folders, are not among them. */
  entries: ReadonlyMap<string, ZipEntry>
  /** Names that occur more than once. */
  duplicates: readonly string[]
  /** Names that lead out of the book. */
  outside: readonly string[]
  /** Names that are not UTF-8, as programs of old Windows would read them. */
  notUtf8: readonly string[]
  /** Folders in which nothing is. */
  emptyFolders: readonly string[]
  /** Why the directory could not be read to its end. */
  directoryError?: string
  /** Whether it was not read to its end because it has more entries than any book. */
  isTooLarge: boolean
}

/** Picture libraries have 70,000 entries. */
const limits = { entries: 100_000, directoryBytes: 16 * 1024 * 1024, named: 20 }

class TooLarge extends Error {}

/** Reads the directory as far as it can be read. */
export async function readDirectory(file: ZipFile): Promise<ZipDirectory> {
  const entries = new Map<string, ZipEntry>()
  const folders = new Set<string>()
  const named = { duplicates: [] as string[], outside: [] as string[], notUtf8: [] as string[] }
  const note = (kind: keyof typeof named, name: string): void => {
    if (named[kind].length < limits.named) named[kind].push(name)
  }
  let count = 0
  let size = 0
  try {
    for await (const entry of file.eachEntry()) {
      count += 1
      size += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (count > limits.entries || size > limits.directoryBytes)
        throw new TooLarge('it has more entries than any book')
      const name = nameOf(entry)
      if (name === '') continue
      if (name.endsWith('/')) {
        folders.add(name)
        continue
      }
      if (/^\/|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(name)) {
        note('outside', name)
        continue
      }
      if (!isUtf8(entry.fileNameRaw)) note('notUtf8', name)
      if (entries.has(name)) note('duplicates', name)
      entries.set(name, withoutBuffers(entry))
    }
  } catch (error) {
    const directoryError = (error as Error).message
    return { entries, ...named, emptyFolders: [], directoryError, isTooLarge: error instanceof TooLarge }
  }
  const emptyFolders = withoutEntries(folders, entries.keys()).slice(0, limits.named)
  return { entries, ...named, emptyFolders, isTooLarge: false }
}

/** The folders in which no entry lies, whose names end in a slash. */
function withoutEntries(folders: Set<string>, names: Iterable<string>): string[] {
  for (const name of folders.size === 0 ? [] : names) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
      folders.delete(name.slice(0, at + 1))
  }
  return [...folders]
}

/** Many programs write names in UTF-8 and do not set the flag that says so; an EPUB may have no other names. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const utf8 = 0x800
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8 : generalPurposeBitFlag & ~utf8
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
}

/** An entry without the buffers that it was read from. */
const withoutBuffers = (entry: Entry): ZipEntry => ({
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
  compressionMethod: entry.compressionMethod,
  crc32: entry.crc32,
  isEncrypted: entry.isEncrypted(),
})
