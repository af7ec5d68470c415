import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { OpenFile } from '../system/open-file.ts'

/** What is kept of an entry of the zip's directory. */
export interface ZipEntry {
  relativeOffsetOfLocalHeader: number
  compressedSize: number
  uncompressedSize: number
  compressionMethod: number
  crc32: number
  isEncrypted: boolean
}

/** An entry could not be read, or not completely. The message is the end of a sentence about the entry. */
export class EntryError extends Error {
  readonly code: 'entry_missing' | 'entry_too_large' | 'entry_damaged' | 'entry_encrypted'

  constructor(code: EntryError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const stored = 0
const deflated = 8

const blockSize = 256 * 1024

/** The largest entry that is inflated at once, in bytes: to hand it to another thread in pieces would take longer. */
const small = 4 * 1024 * 1024

/**
 * The content of an entry: all of it, or its first `limit` bytes. Throws EntryError, also if all of it is requested and it
 * has more than `limit` bytes.
 */
export async function readEntry(
  source: OpenFile,
  entry: ZipEntry,
  limit: number,
  isComplete: boolean,
): Promise<Buffer> {
  refuseUnfit(entry)
  if (isComplete && entry.uncompressedSize > limit) throw tooLarge(limit)
  return await orDamaged(async () => {
    const content =
      isComplete && isSmall(entry)
        ? await inflateAtOnce(source, entry)
        : await inflate(source, entry, limit, isComplete)
    if (isComplete) mustMatch(entry, content.length, crc32(content))
    return content
  })
}

/** The content of an entry, to be read at any position. */
export interface EntryContent {
  readonly bytes: number
  /** Fills as much of `into` as there is from there on; returns how much, which is 0 behind the end. */
  read(into: Buffer, position: number): Promise<number>
}

/**
 * Opens an entry to read at any position of it. One that is stored is read where it lies; another one is inflated as a whole, and
 * throws EntryError if it has more than `limit` bytes.
 */
export async function openEntry(source: OpenFile, entry: ZipEntry, limit: number): Promise<EntryContent> {
  refuseUnfit(entry)
  if (entry.compressionMethod !== stored) {
    const content = await readEntry(source, entry, limit, true)
    return { bytes: content.length, read: async (into, position) => content.subarray(position).copy(into) }
  }
  const start = await orDamaged(() => contentStart(source, entry))
  const bytes = Math.max(0, Math.min(entry.uncompressedSize, source.bytes - start))
  return {
    bytes,
    read: async (into, position) =>
      await source.read(into.subarray(0, Math.max(0, bytes - position)), start + position),
  }
}

/** What tells of which kind an entry is, and whether it is whole: its first 64 KiB and its last 4. */
export interface EntrySample {
  start: Buffer
  end: Buffer
}

const sampled = { start: 64 * 1024, end: 4 * 1024 }

/** Reads an entry to its end and gives its beginning and its end. Throws EntryError as `checkEntry` does. */
export async function sampleEntry(source: OpenFile, entry: ZipEntry): Promise<EntrySample> {
  let start: Buffer | undefined
  let end: Buffer = Buffer.alloc(0)
  await checkEntry(source, entry, chunk => {
    start ??= chunk.length > sampled.start ? Buffer.from(chunk.subarray(0, sampled.start)) : chunk
    end = chunk.length < sampled.end ? Buffer.concat([end, chunk]).subarray(-sampled.end) : chunk
  })
  return { start: start ?? end, end: end.subarray(-sampled.end) }
}

/**
 * Reads an entry to its end without keeping it. Throws EntryError if its size or its checksum is not what the zip says. `onChunk`
 * is given its content piece by piece.
 */
export async function checkEntry(
  source: OpenFile,
  entry: ZipEntry,
  onChunk: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  refuseUnfit(entry)
  if (entry.compressedSize === 0) return mustMatch(entry, 0, 0)
  await orDamaged(async () => {
    if (isSmall(entry)) {
      const content = await inflateAtOnce(source, entry)
      onChunk(content)
      return mustMatch(entry, content.length, crc32(content))
    }
    let length = 0
    let sum = 0
    await inflated(source, entry, async chunks => {
      for await (const chunk of chunks) {
        onChunk(chunk)
        length += chunk.length
        if (length > entry.uncompressedSize) throw holdsMore()
        sum = crc32(chunk, sum)
      }
    })
    mustMatch(entry, length, sum)
  })
}

function refuseUnfit({ isEncrypted, compressionMethod }: ZipEntry): void {
  if (isEncrypted) throw new EntryError('entry_encrypted', 'is encrypted')
  if (compressionMethod === stored || compressionMethod === deflated) return
  throw new EntryError('entry_damaged', `is compressed by method ${compressionMethod}, which no book may use`)
}

async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof EntryError) throw error
    throw new EntryError('entry_damaged', `is damaged (${(error as Error).message})`)
  }
}

/** The inflated entry, or its first `limit` bytes if it need not be complete. */
async function inflate(
  source: OpenFile,
  entry: ZipEntry,
  limit: number,
  isComplete: boolean,
): Promise<Buffer> {
  const content = Buffer.alloc(Math.min(limit, entry.uncompressedSize))
  let length = 0
  const collect = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      chunk.copy(content, length)
      length += chunk.length
      if (length > content.length && isComplete) throw holdsMore()
      if (length >= content.length && !isComplete) return
    }
  }
  await inflated(source, entry, collect).catch(error => {
    // Ending the stream early, after enough bytes, is an error of the stream.
    if (isComplete || length < content.length) throw error
  })
  return content.subarray(0, Math.min(length, content.length))
}

/** Gives the inflated pieces of an entry to something that reads them. */
async function inflated(
  source: OpenFile,
  entry: ZipEntry,
  read: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const raw = () => piecesOf(source, entry)
  if (entry.compressionMethod === stored) return await read(raw())
  // Loaded for large entries alone, since it takes 1 of the 45 ms in which a book is inspected.
  const { pipeline } = await import('node:stream/promises')
  await pipeline(raw, createInflateRaw({ chunkSize: inflatedBlock }), read)
}

const inflatedBlock = 64 * 1024

const isSmall = ({ compressionMethod, compressedSize, uncompressedSize }: ZipEntry): boolean =>
  compressionMethod === deflated && compressedSize <= small && uncompressedSize <= small

/** The same for a small entry: setting up a stream would take longer than inflating it. */
async function inflateAtOnce(source: OpenFile, entry: ZipEntry): Promise<Buffer> {
  if (source.content) return inflateRaw(rawIn(await source.content(), entry), entry)
  const room = spareRooms.pop() ?? Buffer.allocUnsafeSlow(headerRoom + small)
  try {
    return inflateRaw(await rawContent(source, entry, room), entry)
  } finally {
    if (spareRooms.length < keptRooms) spareRooms.push(room)
  }
}

/** Inflates a small entry as it lies in the file. */
function inflateRaw(raw: Buffer, { uncompressedSize }: ZipEntry): Buffer {
  // A program that writes an empty entry as deflated may leave out even the end of the deflated data.
  if (raw.length === 0) return Buffer.alloc(0)
  // With room to see where it ends, and in one piece, which is not copied; nothing is set apart for what no data can hold.
  const most = uncompressedSize + 1
  const chunkSize = Math.max(Math.min(most, raw.length * largestRatio), leastChunk)
  try {
    return inflateRawSync(raw, { maxOutputLength: most, chunkSize })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw holdsMore()
  }
}

/** Where deflated data is read into, used again: V8 collects garbage more often the more is allocated outside of its heap. */
const spareRooms: Buffer[] = []
const keptRooms = 2

/** How many bytes one byte of deflated data becomes at most, and the smallest piece that zlib writes. */
const largestRatio = 1032
const leastChunk = 64

const header = { bytes: 30, signature: 0x04034b50, nameLength: 26, extraLength: 28 }

/** The most that stands before the content of most entries; where it is more, another read is needed. */
const headerRoom = header.bytes + 482

/** Where the content of an entry begins in the file. */
async function contentStart(
  source: OpenFile,
  { relativeOffsetOfLocalHeader: at }: ZipEntry,
): Promise<number> {
  const local = await source.view(at, header.bytes)
  return at + lengthBefore(local)
}

/** How much stands before the content of an entry, by its local header. */
function lengthBefore(local: Buffer): number {
  if (local.length < header.bytes || local.readUInt32LE(0) !== header.signature)
    throw new Error('nothing begins where the directory says')
  return header.bytes + local.readUInt16LE(header.nameLength) + local.readUInt16LE(header.extraLength)
}

/** The content of a small entry as it lies in the file, in one read with its local header where that is no longer than usual. */
async function rawContent(source: OpenFile, entry: ZipEntry, room: Buffer): Promise<Buffer> {
  const { relativeOffsetOfLocalHeader: at, compressedSize } = entry
  let length = await source.read(room.subarray(0, headerRoom + compressedSize), at)
  const before = lengthBefore(room.subarray(0, length))
  const [from, start] = before > headerRoom ? [at + before, 0] : [at, before]
  if (start === 0) length = 0
  const end = start + compressedSize
  while (length < end) {
    const bytesRead = await source.read(room.subarray(length, end), from + length)
    if (bytesRead === 0) throw new Error('the file ends early')
    length += bytesRead
  }
  return room.subarray(start, end)
}

/** The same of a file that is in memory, where it is not copied. */
function rawIn(file: Buffer, { relativeOffsetOfLocalHeader: at, compressedSize }: ZipEntry): Buffer {
  const start = at + lengthBefore(file.subarray(at, at + header.bytes))
  const raw = file.subarray(start, start + compressedSize)
  if (raw.length < compressedSize) throw new Error('the file ends early')
  return raw
}

/** The content of an entry as it lies in the file. Its local header is read along with the beginning. */
async function* piecesOf(source: OpenFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { relativeOffsetOfLocalHeader: at, compressedSize } = entry
  const first = await source.view(at, Math.min(blockSize, headerRoom + compressedSize))
  const before = lengthBefore(first)
  const end = at + before + compressedSize
  const own = first.subarray(before, before + compressedSize)
  if (own.length > 0) yield own
  for (let position = at + before + own.length; position < end; ) {
    const piece = await source.view(position, Math.min(blockSize, end - position))
    if (piece.length === 0) throw new Error('the file ends early')
    yield piece
    position += piece.length
  }
}

function mustMatch({ uncompressedSize, crc32: sum }: ZipEntry, length: number, found: number): void {
  if (length !== uncompressedSize)
    throw new EntryError('entry_damaged', `holds ${length} bytes and claims ${uncompressedSize}`)
  if (found !== sum) throw new EntryError('entry_damaged', 'does not match its checksum')
}

const holdsMore = (): EntryError => new EntryError('entry_damaged', 'holds more than it claims')

const tooLarge = (limit: number): EntryError =>
  new EntryError('entry_too_large', `is larger than ${Math.floor(limit / 2 ** 20)} MiB`)
