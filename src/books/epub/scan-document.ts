import { decodeText } from '../decode.ts'
import type { PageListener } from './page-facts.ts'
import { parseMarkup } from './parse-markup.ts'
import { Enough, TagScan } from './scan-tags.ts'
import type { ScannedDocument } from './scanned-document.ts'
import { readUsualMarkup } from './usual-markup.ts'

/**
 * Reads a content document for what a preflight needs, without keeping it. Reading ends where it is not well-formed, at
 * the first error, as a reading system's does. A `listener` is told of every element and text.
 */
export function scanDocument(bytes: Uint8Array, listener?: PageListener): ScannedDocument {
  if (listener === undefined) {
    const scan = new TagScan()
    const isRead = untilEnough(() => readUsualMarkup(bytes, scan))
    if (isRead !== false) return scan.found
  }
  const scan = new TagScan()
  untilEnough(() => parseMarkup(decodeText(bytes).text, scan, listener))
  return scan.found
}

/** What reading gives; undefined if the limits of what is read ended it. */
function untilEnough<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Enough) return undefined
    throw error
  }
}
