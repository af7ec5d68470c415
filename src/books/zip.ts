import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { BlockReader } from './block-reader.ts'
import type { OpenFile } from './file.ts'
import { EntryError, readEntry, type ZipEntry } from './zip-entry.ts'

export interface Zip {
  /** By name, in the order of the directory; without folders and names that lead out of the book. */
  entries: ReadonlyMap<string, ZipEntry>
  /** Names that occur more than once. */
  duplicates: readonly string[]
  /** Names that lead out of the book. */
  outside: readonly string[]
  /** Why the directory could not be read completely. */
  directoryError?: string
  /** A complete entry. Throws EntryError, also if it inflates to more than `limit` bytes. */
  read(name: string, limit: number): Promise<Buffer>
  /** The first bytes of an entry. Throws EntryError. */
  readStart(name: string, bytes: number): Promise<Buffer>
}

const limits = { entries: 50_000, directoryBytes: 16 * 1024 * 1024, named: 20 }
/** Reads the directory of a zip; undefined if the file has none. The caller closes the file. */
export async function openZip(source: OpenFile): Promise<Zip | undefined> {
  const file = await fromRandomAccessReaderPromise(new BlockReader(source), source.bytes, {
    autoClose: false,
    // The names are decoded here and the sizes checked here, so that one bad entry does not hide the others.
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(() => undefined)
  if (!file) return undefined
  // Without a listener, an error that is emitted later would end the process.
  file.on('error', () => undefined)
  const directory = await readDirectory(file)
  const { entries } = directory

  const read = async (name: string, limit: number, isWhole: boolean): Promise<Buffer> => {
    const entry = entries.get(name)
    if (!entry) throw new EntryError('entry_missing', 'is not in the zip')
    return await readEntry(file, source, entry, limit, isWhole)
  }
  return {
    ...directory,
    read: (name, limit) => read(name, limit, true),
    readStart: (name, length) => read(name, length, false),
  }
}

async function readDirectory(
  file: ZipFile,
): Promise<Pick<Zip, 'entries' | 'duplicates' | 'outside' | 'directoryError'>> {
  const entries = new Map<string, ZipEntry>()
  const duplicates: string[] = []
  const outside: string[] = []
  let count = 0
  let size = 0
  try {
    for await (const entry of file.eachEntry()) {
      count += 1
      size += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (count > limits.entries || size > limits.directoryBytes)
        throw new Error('it has more entries than any book')
      const name = nameOf(entry)
      if (name === '' || name.endsWith('/')) continue
      if (/^\/|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(name)) {
        if (outside.length < limits.named) outside.push(name)
        continue
      }
      if (entries.has(name) && duplicates.length < limits.named) duplicates.push(name)
      entries.set(name, withoutBuffers(entry))
    }
  } catch (error) {
    return { entries, duplicates, outside, directoryError: (error as Error).message }
  }
  return { entries, duplicates, outside }
}

const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)

/** An entry without the buffers that it was read from. */
const withoutBuffers = (entry: Entry): ZipEntry => ({
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
  compressionMethod: entry.compressionMethod,
  crc32: entry.crc32,
  isEncrypted: entry.isEncrypted(),
})
