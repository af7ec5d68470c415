import { crc32, deflateRawSync } from 'node:zlib'

/** An entry as it is to be written, lies included. */
export interface RawEntry {
  name: string | Buffer
  content: string | Uint8Array
  /** Compressed; the mimetype of a book is not. */
  isDeflated?: boolean
  /** What the directory says of it, in place of the truth. */
  claims?: { size?: number; compressedSize?: number; crc?: number; method?: number; flags?: number }
}

/** A zip written byte by byte, so that it can hold what no honest program writes. */
export function rawZip(entries: readonly RawEntry[], comment = ''): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { header, body } = written(entry, offset)
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      header.subarray(6, 32),
      nameOf(entry),
      body,
    ])
    local.writeUInt16LE(0, 28)
    parts.push(local)
    directory.push(Buffer.concat([header, nameOf(entry)]))
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)])
}

const nameOf = ({ name }: RawEntry): Buffer => Buffer.from(name as string)

function written(entry: RawEntry, offset: number): { header: Buffer; body: Uint8Array } {
  const content = typeof entry.content === 'string' ? Buffer.from(entry.content) : entry.content
  // In a hurry, since some are of hundreds of megabytes.
  const body = entry.isDeflated ? deflateRawSync(content, { level: 1 }) : content
  const { size, compressedSize, crc, method, flags } = entry.claims ?? {}
  const header = Buffer.alloc(46)
  header.write('PK\x01\x02', 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(20, 6)
  // The names are in UTF-8.
  header.writeUInt16LE(flags ?? 0x800, 8)
  header.writeUInt16LE(method ?? (entry.isDeflated ? 8 : 0), 10)
  // The first of January 1980.
  header.writeUInt16LE(0x21, 14)
  header.writeUInt32LE(crc ?? crc32(content), 16)
  header.writeUInt32LE(compressedSize ?? body.length, 20)
  header.writeUInt32LE(size ?? content.length, 24)
  header.writeUInt16LE(nameOf(entry).length, 28)
  header.writeUInt32LE(offset, 42)
  return { header, body }
}
