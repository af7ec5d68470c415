import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
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

/** The largest entry that is inflated at once, in bytes. */
const small = 1024 * 1024

/**
 * The content of an entry: all of it, or its first `limit` bytes. Throws EntryError, also if all of it is requested and it
 * has more than `limit` bytes.
 */
export async function readEntry(
  file: ZipFile,
  source: OpenFile,
  entry: ZipEntry,
  limit: number,
  isComplete: boolean,
): Promise<Buffer> {
  if (entry.isEncrypted) throw new EntryError('entry_encrypted', 'is encrypted')
  if (isComplete && entry.uncompressedSize > limit) throw tooLarge(limit)
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    throw new EntryError(
      'entry_damaged',
      `is compressed by method ${entry.compressionMethod}, which no book may use`,
    )
  }
  try {
    const { fileDataStart } = await file.readLocalFileHeaderPromise(entry as unknown as Entry, {
      minimal: true,
    })
    if (entry.compressedSize === 0) return checked(Buffer.alloc(0), entry, isComplete)
    const content =
      isComplete && isSmall(entry)
        ? await inflateAtOnce(source, entry, fileDataStart)
        : await inflate(source, entry, fileDataStart, limit, isComplete)
    return checked(content, entry, isComplete)
  } catch (error) {
    if (error instanceof EntryError) throw error
    throw new EntryError('entry_damaged', `is damaged (${(error as Error).message})`)
  }
}

/** The inflated entry, or its first `limit` bytes if it need not be complete. */
async function inflate(
  source: OpenFile,
  entry: ZipEntry,
  start: number,
  limit: number,
  isComplete: boolean,
): Promise<Buffer> {
  const content = Buffer.alloc(Math.min(limit, entry.uncompressedSize))
  let length = 0
  const raw = () => piecesOf(source, start, start + entry.compressedSize)
  const collect = async (inflated: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of inflated) {
      chunk.copy(content, length)
      length += chunk.length
      if (length > content.length && isComplete)
        throw new EntryError('entry_damaged', 'holds more than it claims')
      if (length >= content.length && !isComplete) return
    }
  }
  if (entry.compressionMethod === stored) await collect(raw())
  else {
    await pipeline(raw, createInflateRaw(), collect).catch(error => {
      // Ending the stream early, after enough bytes, is an error of the stream.
      if (isComplete || length < content.length) throw error
    })
  }
  return content.subarray(0, length)
}

const isSmall = ({ compressionMethod, compressedSize, uncompressedSize }: ZipEntry): boolean =>
  compressionMethod === deflated && compressedSize <= blockSize && uncompressedSize <= small

/** The same for a small entry: setting up a stream would take longer than inflating it. */
async function inflateAtOnce(source: OpenFile, entry: ZipEntry, start: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(source, start, start + entry.compressedSize)) pieces.push(piece)
  try {
    return inflateRawSync(Buffer.concat(pieces), { maxOutputLength: entry.uncompressedSize + 1 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw new EntryError('entry_damaged', 'holds more than it claims')
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

function checked(content: Buffer, entry: ZipEntry, isComplete: boolean): Buffer {
  if (!isComplete) return content
  if (content.length !== entry.uncompressedSize) {
    throw new EntryError(
      'entry_damaged',
      `holds ${content.length} bytes and claims ${entry.uncompressedSize}`,
    )
  }
  if (crc32(content) !== entry.crc32) throw new EntryError('entry_damaged', 'does not match its checksum')
  return content
}

const tooLarge = (limit: number): EntryError =>
  new EntryError('entry_too_large', `is larger than ${Math.floor(limit / 2 ** 20)} MiB`)
