import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import type { OpenFile } from './file.ts'

/** What is kept of an entry of the zip's directory. */
interface ZipEntry {
  relativeOffsetOfLocalHeader: number
  compressedSize: number
  uncompressedSize: number
  compressionMethod: number
  crc32: number
  isEncrypted: boolean
}

/** An entry could not be read, or could not be read whole; the message is the end of a sentence about it. */
export class EntryTrouble extends Error {
  readonly code: 'entry_missing' | 'entry_too_large' | 'entry_damaged' | 'entry_encrypted'

  constructor(code: EntryTrouble['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Zip {
  /** By name, in the directory's order. Names that lead out of the book, and folders, are not among them. */
  entries: ReadonlyMap<string, ZipEntry>
  /** Names that occur more than once. */
  doubled: readonly string[]
  /** Names that lead out of the book. */
  escaping: readonly string[]
  /** Why the directory could not be read to its end. */
  trouble?: string
  /** An entry whole. Throws EntryTrouble, also for one that inflates to more than `limit` bytes. */
  read(name: string, limit: number): Promise<Buffer>
  /** Up to so many bytes from an entry's start. Throws EntryTrouble. */
  readStart(name: string, bytes: number): Promise<Buffer>
}

const limits = { entries: 50_000, directoryBytes: 16 * 1024 * 1024, named: 20 }
const stored = 0
const deflated = 8

/** Reads the directory of a zip; undefined when the file has none. Closing the file is the caller's part. */
export async function openZip(source: OpenFile): Promise<Zip | undefined> {
  const file = await fromRandomAccessReaderPromise(new BlockReader(source), source.bytes, {
    autoClose: false,
    // The names are decoded here and the sizes checked here, so that one bad entry does not hide the others.
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(() => undefined)
  if (!file) return undefined
  // A listener of ours, so that an error that comes late is no uncaught one.
  file.on('error', () => undefined)
  const directory = await readDirectory(file)
  const { entries } = directory

  const read = async (name: string, limit: number, isWhole: boolean): Promise<Buffer> => {
    const entry = entries.get(name)
    if (!entry) throw new EntryTrouble('entry_missing', 'is not in the zip')
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
): Promise<Pick<Zip, 'entries' | 'doubled' | 'escaping' | 'trouble'>> {
  const entries = new Map<string, ZipEntry>()
  const doubled: string[] = []
  const escaping: string[] = []
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
        if (escaping.length < limits.named) escaping.push(name)
        continue
      }
      if (entries.has(name) && doubled.length < limits.named) doubled.push(name)
      entries.set(name, slim(entry))
    }
  } catch (error) {
    return { entries, doubled, escaping, trouble: (error as Error).message }
  }
  return { entries, doubled, escaping }
}

const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)

/** An entry without the buffers that it was read from. */
const slim = (entry: Entry): ZipEntry => ({
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
  compressionMethod: entry.compressionMethod,
  crc32: entry.crc32,
  isEncrypted: entry.isEncrypted(),
})

async function readEntry(
  file: ZipFile,
  source: OpenFile,
  entry: ZipEntry,
  limit: number,
  isWhole: boolean,
): Promise<Buffer> {
  if (entry.isEncrypted) throw new EntryTrouble('entry_encrypted', 'is encrypted')
  if (isWhole && entry.uncompressedSize > limit) throw tooLarge(limit)
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    throw new EntryTrouble(
      'entry_damaged',
      `is compressed by method ${entry.compressionMethod}, which no book may use`,
    )
  }
  try {
    const { fileDataStart } = await file.readLocalFileHeaderPromise(entry as unknown as Entry, {
      minimal: true,
    })
    if (entry.compressedSize === 0) return checked(Buffer.alloc(0), entry, isWhole)
    const content =
      isWhole && isSmall(entry)
        ? await inflateAtOnce(source, entry, fileDataStart)
        : await inflate(source, entry, fileDataStart, limit, isWhole)
    return checked(content, entry, isWhole)
  } catch (error) {
    if (error instanceof EntryTrouble) throw error
    throw new EntryTrouble('entry_damaged', `is damaged (${(error as Error).message})`)
  }
}

/** What an entry inflates to, or its first `limit` bytes when it need not be whole. */
async function inflate(
  source: OpenFile,
  entry: ZipEntry,
  start: number,
  limit: number,
  isWhole: boolean,
): Promise<Buffer> {
  const content = Buffer.alloc(Math.min(limit, entry.uncompressedSize))
  let length = 0
  const raw = () => piecesOf(source, start, start + entry.compressedSize)
  const collect = async (inflated: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of inflated) {
      chunk.copy(content, length)
      length += chunk.length
      if (length > content.length && isWhole)
        throw new EntryTrouble('entry_damaged', 'holds more than it claims')
      if (length >= content.length && !isWhole) return
    }
  }
  if (entry.compressionMethod === stored) await collect(raw())
  else {
    await pipeline(raw, createInflateRaw(), collect).catch(error => {
      // Ending early, once there is enough, counts as an error of the stream.
      if (isWhole || length < content.length) throw error
    })
  }
  return content.subarray(0, length)
}

const isSmall = ({ compressionMethod, compressedSize, uncompressedSize }: ZipEntry): boolean =>
  compressionMethod === deflated && compressedSize <= blockSize && uncompressedSize <= small

/** The same for a small entry: to set a stream up would take longer than the work itself. */
async function inflateAtOnce(source: OpenFile, entry: ZipEntry, start: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(source, start, start + entry.compressedSize)) pieces.push(piece)
  try {
    return inflateRawSync(Buffer.concat(pieces), { maxOutputLength: entry.uncompressedSize + 1 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw new EntryTrouble('entry_damaged', 'holds more than it claims')
  }
}

async function* piecesOf(source: OpenFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const piece = Buffer.alloc(Math.min(blockSize, end - position))
    const bytesRead = await source.read(piece, position)
    if (bytesRead === 0) throw new Error('the file ends early')
    yield piece.subarray(0, bytesRead)
    position += bytesRead
  }
}

function checked(content: Buffer, entry: ZipEntry, isWhole: boolean): Buffer {
  if (!isWhole) return content
  if (content.length !== entry.uncompressedSize) {
    throw new EntryTrouble(
      'entry_damaged',
      `holds ${content.length} bytes and claims ${entry.uncompressedSize}`,
    )
  }
  if (crc32(content) !== entry.crc32) throw new EntryTrouble('entry_damaged', 'does not match its checksum')
  return content
}

const tooLarge = (limit: number): EntryTrouble =>
  new EntryTrouble('entry_too_large', `is larger than ${Math.floor(limit / 2 ** 20)} MiB`)

const blockSize = 256 * 1024
/** How many bytes an entry has at most that is inflated at once. */
const small = 1024 * 1024

/** Answers the many small reads of a directory from one block of the file. */
class BlockReader extends RandomAccessReader {
  readonly #source: OpenFile
  #block = Buffer.alloc(0)
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
    const block = Buffer.alloc(Math.max(Math.min(blockSize, this.#source.bytes - position), length))
    const bytesRead = await this.#source.read(block, position)
    if (bytesRead < length) throw new Error('the file ends early')
    this.#block = block.subarray(0, bytesRead)
    this.#start = position
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }
}
