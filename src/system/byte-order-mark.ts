import { TextDecoder } from 'node:util'

/** The encoding that a byte order mark tells. */
export function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

/**
 * The text of a small file: UTF-8 unless it begins with the byte order mark of UTF-16, in which Windows PowerShell writes
 * what a command prints. Bytes that are none of it become U+FFFD.
 */
export const textOfBytes = (bytes: Uint8Array): string =>
  new TextDecoder(markedEncoding(bytes) ?? 'utf-8').decode(bytes)
