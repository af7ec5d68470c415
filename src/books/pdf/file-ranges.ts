import { fstatSync, readSync } from 'node:fs'
import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Up to how many bytes a file is read whole. A larger one would take too much of the memory that its reader may have. */
const mostWhole = 2 ** 20

/**
 * What pdf.js reads a file from: all of it where it is small, or its parts as they are asked for, which for the same file takes twice
 * the processor's time. `isDecrypted` hides that the document is encrypted, for one of which only the attachments are.
 */
export function documentSource(
  fd: number,
  isDecrypted: boolean,
): { data: Uint8Array } | { range: FileRanges } {
  const { size } = fstatSync(fd)
  const read = isDecrypted ? readDecrypted : readRange
  return size <= mostWhole ? { data: read(fd, 0, size) } : { range: new FileRanges(fd, size, read) }
}

/** Reads only the parts of the file that pdf.js asks for. */
class FileRanges extends PDFDataRangeTransport {
  readonly #fd: number
  readonly #bytes: number
  readonly #read: typeof readRange

  constructor(fd: number, bytes: number, read: typeof readRange) {
    super(bytes, read(fd, 0, Math.min(bytes, 4096)))
    this.#fd = fd
    this.#bytes = bytes
    this.#read = read
  }

  override requestDataRange(begin: number, end: number): void {
    this.onDataRange(begin, this.#read(this.#fd, begin, Math.min(end, this.#bytes)))
  }
}

function readRange(fd: number, begin: number, end: number): Uint8Array {
  const chunk = new Uint8Array(Math.max(0, end - begin))
  readSync(fd, chunk, 0, chunk.length, begin)
  return chunk
}

const key = '/Encrypt'

/** The key of the trailer becomes another of the same length, wherever the range cuts it. */
function readDecrypted(fd: number, begin: number, end: number): Uint8Array {
  const start = Math.max(0, begin - key.length)
  const wide = Buffer.from(readRange(fd, start, end + key.length))
  for (let at = wide.indexOf(key); at >= 0; at = wide.indexOf(key, at + 1))
    wide.write('/Nocrypt', at, 'latin1')
  return new Uint8Array(wide.subarray(begin - start, end - start))
}

/** How much of the beginning and of the end of a file is searched; the dictionary of its encryption is in one of them. */
const searched = 1024 * 1024

/**
 * Whether only the attachments of an encrypted document are: its texts and streams have the filter Identity (PDF 2.0,
 * 7.6.6), which is also what they have if none is named.
 */
export function hasPlainContent(fd: number): boolean {
  const { size } = fstatSync(fd)
  const parts = [
    readRange(fd, 0, Math.min(size, searched)),
    readRange(fd, Math.max(0, size - searched), size),
  ]
  const text = parts.map(part => Buffer.from(part).toString('latin1')).join('\n')
  return /\/EFF\s?\//.test(text) && !/\/St[mr]F\s?\/(?!Identity\b)/.test(text)
}
