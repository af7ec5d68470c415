import { TextDecoder } from 'node:util'

/** Decodes text that arrives in chunks. */
export interface ChunkDecoder {
  /** The name of the encoding, in lower case. */
  readonly encoding: string
  /** Throws TypeError for bytes that the encoding does not have. `isMore` if more chunks follow. */
  decode(bytes: Uint8Array, isMore?: boolean): string
}

/** The names of Windows-1252, and of what is in fact Windows-1252 nearly always, by the WHATWG's Encoding Standard. */
const windows1252Names = new Set([
  ...['ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100'],
  ...['iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252'],
  'x-cp1252',
])

/**
 * A decoder for an encoding by any of its names; undefined for an unknown name. A byte order mark is left out. With
 * `isLenient`, bytes that the encoding does not have become U+FFFD.
 */
export function chunkDecoder(name: string, { isLenient = false } = {}): ChunkDecoder | undefined {
  const label = name.trim().toLowerCase()
  if (windows1252Names.has(label)) return windows1252(isLenient)
  try {
    const decoder = new TextDecoder(label, { fatal: !isLenient })
    return {
      encoding: decoder.encoding,
      decode: (bytes, isMore = false) => decoder.decode(bytes, { stream: isMore }),
    }
  } catch {
    return undefined
  }
}

/** What the bytes 0x80 to 0x9F are in Windows-1252; five of them are nothing. */
const upper = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

// Node.js 20's own decoder for Windows-1252 turns these bytes into control characters.
const windows1252 = (isLenient: boolean): ChunkDecoder => ({
  encoding: 'windows-1252',
  decode(bytes) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    return text.replace(/[\x80-\x9f]/g, byte => {
      const character = upper[byte.charCodeAt(0) - 0x80] as string
      if (character !== '\0') return character
      if (isLenient) return '\ufffd'
      throw new TypeError('the byte is in no Windows-1252 text')
    })
  },
})
