import { isUtf8 } from 'node:buffer'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import type { OpenFile } from '../system/open-file.ts'
import { endOfZip } from './zip-end.ts'
import {
  checkEntry,
  type EntryContent,
  EntryError,
  type EntrySample,
  openEntry,
  readEntry,
  sampleEntry,
  type ZipEntry,
} from './zip-entry.ts'

export interface Zip extends ZipDirectory {
  /** How many bytes follow the end of the zip, which belong to nothing. */
  trailingBytes: number
  /**
   * The name of the entry that a path leads to, or the path itself where there is none. Names are compared in Unicode's
   * form NFC, since macOS writes ü as u and an accent, and the documents of the same book as one character.
   */
  nameAt(path: string): string
  /** A complete entry. Throws EntryError, also if it inflates to more than `limit` bytes. */
  read(name: string, limit: number): Promise<Buffer>
  /** The first bytes of an entry. Throws EntryError. */
  readStart(name: string, bytes: number): Promise<Buffer>
  /** The beginning and the end of an entry, which is read whole. Throws EntryError if it is not as the zip says. */
  sample(name: string): Promise<EntrySample>
  /** An entry to be read at any position. Throws EntryError as `openEntry` does. */
  open(name: string, limit: number): Promise<EntryContent>
  /** Whether an entry has been read whole, which shows that it is sound. */
  wasRead(name: string): boolean
  /** Reads an entry to its end without keeping it. Throws EntryError if it is not as the zip says. */
  check(name: string): Promise<void>
  /** How many bytes of extra fields stand before an entry's content; undefined when that cannot be read. */
  extraBytes(name: string): Promise<number | undefined>
}

/** Reads the directory of a zip; undefined if the file has none. The caller closes the file. */
export async function openZip(source: OpenFile): Promise<Zip | undefined> {
  let bytes = source.bytes
  let file = await directoryOf(source, bytes)
  if (!file) {
    bytes = (await endOfZip(source)) ?? 0
    file = bytes === 0 ? undefined : await directoryOf(source, bytes)
  }
  if (!file) return undefined
  // Without a listener, an error that is emitted later would end the process.
  file.on('error', () => undefined)
  const directory = { ...(await readDirectory(file)), trailingBytes: source.bytes - bytes }
  const { entries } = directory
  const readWhole = new Set<string>()

  const entryOf = (name: string): ZipEntry => {
    const entry = entries.get(name)
    if (!entry) throw new EntryError('entry_missing', 'is not in the zip')
    return entry
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
    async read(name, limit) {
      const content = await readEntry(source, entryOf(name), limit, true)
      readWhole.add(name)
      return content
    },
    readStart: async (name, length) => await readEntry(source, entryOf(name), length, false),
    async sample(name) {
      const found = await sampleEntry(source, entryOf(name))
      readWhole.add(name)
      return found
    },
    open: async (name, limit) => await openEntry(source, entryOf(name), limit),
    wasRead: name => readWhole.has(name),
    check: async name => await checkEntry(source, entryOf(name)),
    async extraBytes(name) {
      const entry = entries.get(name)
      const header =
        entry && (await file.readLocalFileHeaderPromise(entry as unknown as Entry, {}).catch(() => undefined))
      return header?.extraFieldLength
    },
  }
}

/** Opens the directory of a zip that has so many bytes; undefined if it has none. */
const directoryOf = async (source: OpenFile, bytes: number): Promise<ZipFile | undefined> =>
  await fromRandomAccessReaderPromise(new BlockReader(source), bytes, {
    autoClose: false,
    // The names are decoded here and the sizes checked here, so that one bad entry does not hide the others.
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(() => undefined)

/** Whether a name is of ASCII alone, which is the same in every form of Unicode. */
const isPlain = (name: string): boolean => /^[\0-\x7F]*$/.test(name)

const blockSize = 256 * 1024

/** Answers the many small reads of a directory from one block of the file. */
class BlockReader extends RandomAccessReader {
  readonly #source: OpenFile
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(source: OpenFile) {
    super()
    this.#source = source
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytes?: number) => void,
  ): void {
    this.#fill(position, length).then(
      () =>
        done(null, this.#block.copy(into, offset, position - this.#start, position - this.#start + length)),
      done,
    )
  }

  async #fill(position: number, length: number): Promise<void> {
    if (position >= this.#start && position + length <= this.#start + this.#block.length) return
    const wanted = Math.max(Math.min(blockSize, this.#source.bytes - position), length)
    const block = await this.#source.view(position, wanted)
    if (block.length < length) throw new Error('the file ends early')
    this.#block = block
    this.#start = position
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }
}

/** What the directory of a zip says. */
interface ZipDirectory {
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
async function readDirectory(file: ZipFile): Promise<ZipDirectory> {
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
      const name = entryNameOf(entry)
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
function entryNameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
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
