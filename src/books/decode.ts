import { isUtf8 } from 'node:buffer'
import { chunkDecoder } from '../system/text-decoder.ts'

/**
 * Decodes a document by its byte order mark, else by the encoding that it declares, else as UTF-8. Invalid bytes are read as
 * well as possible, and `encodingError` describes them.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string; encodingError?: string } {
  const encoding = encodingOfXml(bytes)
  const decoder = lenientDecoder(encoding)
  if (decoder === undefined) {
    const encodingError = `its encoding "${encoding}" is not known`
    return { text: decode(bytes, 'utf-8'), encoding, encodingError }
  }
  const encodingError = `it has bytes that are not ${decoder.encoding.toUpperCase()}`
  // Most documents that are not UTF-8 are in Windows-1252.
  if (decoder.encoding === 'utf-8' && !isUtf8(bytes))
    return { text: decode(bytes, 'windows-1252'), encoding, encodingError }
  const text = decoder.decode(bytes)
  const isBroken = text.includes('\uFFFD') && decoder.encoding !== 'utf-8'
  return { text, encoding: decoder.encoding, ...(isBroken && { encodingError }) }
}

const lenientDecoder = (encoding: string) => chunkDecoder(encoding, { isLenient: true })

const decode = (bytes: Uint8Array, encoding: string): string => lenientDecoder(encoding)?.decode(bytes) ?? ''

/** The encoding of an XML document: by its byte order mark, else as declared, else UTF-8. */
export function encodingOfXml(bytes: Uint8Array): string {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  // No byte order mark, but a less-than sign in two bytes.
  if (a === 0x3c && b === 0) return 'utf-16le'
  if (a === 0 && b === 0x3c) return 'utf-16be'
  const start = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/.exec(start)?.[1]
  // A declaration that is readable byte by byte cannot be UTF-16, even if it says so.
  return !declared || /^utf-?16/i.test(declared) ? 'utf-8' : declared
}
