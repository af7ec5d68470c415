import { type Entry, fromRandomAccessReaderPromise } from 'yauzl'
import type { OpenFile } from '../system/open-file.ts'
import { BlockReader } from './block-reader.ts'
import { readDirectory, type ZipDirectory } from './zip-directory.ts'
import { EntryError, readEntry } from './zip-entry.ts'

export interface Zip extends ZipDirectory {
  /**
   * The name of the entry that a path leads to, or the path itself where there is none. Names are compared in Unicode's
   * form NFC, since macOS writes ü as u and an accent, and the documents of the same book as one character.
   */
  nameAt(path: string): string
  /** A complete entry. Throws EntryError, also if it inflates to more than `limit` bytes. */
  read(name: string, limit: number): Promise<Buffer>
  /** The first bytes of an entry. Throws EntryError. */
  readStart(name: string, bytes: number): Promise<Buffer>
  /** How many bytes of extra fields stand before an entry's content; undefined when that cannot be read. */
  extraBytes(name: string): Promise<number | undefined>
}

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
  let composed: Map<string, string> | undefined
  return {
    ...directory,
    nameAt(path) {
      if (entries.has(path)) return path
      composed ??= new Map(
        [...entries.keys()].flatMap(name => (isPlain(name) ? [] : [[name.normalize(), name]])),
      )
      return (isPlain(path) ? undefined : composed.get(path.normalize())) ?? path
    },
    read: (name, limit) => read(name, limit, true),
    readStart: (name, length) => read(name, length, false),
    async extraBytes(name) {
      const entry = entries.get(name)
      const header =
        entry && (await file.readLocalFileHeaderPromise(entry as unknown as Entry, {}).catch(() => undefined))
      return header?.extraFieldLength
    },
  }
}

/** Whether a name is of ASCII alone, which is the same in every form of Unicode. */
const isPlain = (name: string): boolean => /^[\0-\x7F]*$/.test(name)
