import { extname } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { scanDocument } from './epub/scan-document.ts'
import { readCoverFile } from './file.ts'
import { type ImageFacts, imageEndings, imageFacts } from './image.ts'

/**
 * The bytes of an image file that is to be sent as a cover. Throws UsageFailure: `file_unreadable`, `cover_too_large`, or
 * `cover_unfit` for a file that is no complete image or not the one that its name says.
 */
export async function readSoundCover(path: string, mayRead: MayRead): Promise<Buffer> {
  const bytes = await readCoverFile(path, mayRead)
  const fault = faultOf(path, bytes)
  if (fault !== undefined) {
    const [what, hint] = fault
    throw new UsageFailure(`${path} ${what}`, { code: 'cover_unfit', hint })
  }
  return bytes
}

type Fault = readonly [what: string, hint: string]

const again = 'Save or export the image again.'

/** What is wrong with an image; undefined if nothing is. */
function faultOf(path: string, bytes: Buffer): Fault | undefined {
  if (bytes.length === 0) return ['is empty', again]
  const facts = imageFacts(bytes)
  if (facts === undefined)
    return ['is not an image that can be read', 'A cover is a JPEG, PNG, GIF, WebP or SVG file.']
  const endings = imageEndings[facts.mediaType] ?? []
  if (!endings.includes(extname(path).toLowerCase())) {
    return [`is ${facts.mediaType} and not what its name says`, `Rename it to end in ${endings[0]}.`]
  }
  if (facts.mediaType === 'image/svg+xml') return faultOfDrawing(bytes)
  if (!isComplete(facts, bytes)) return ['is cut short', 'Copy the image again from where it came from.']
  if (facts.width === undefined) return ['has no size', again]
  return canHold(facts, bytes.length)
    ? undefined
    : ['is too small for the size in pixels that it claims', again]
}

/** Cameras and editors append data after the end of an image, which ends it no less. */
function isComplete({ mediaType }: ImageFacts, bytes: Buffer): boolean {
  if (mediaType === 'image/jpeg') return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 0
  if (mediaType === 'image/png') return bytes.lastIndexOf('IEND') > 0
  if (mediaType === 'image/gif') return bytes.lastIndexOf(0x3b) > 13
  return bytes.length >= bytes.readUInt32LE(4) + 8
}

/**
 * Whether so many bytes can hold so many pixels: deflate packs at most 1032 bytes into one, which PNG of one bit a pixel
 * makes 8256 pixels, and the other formats pack less.
 */
const canHold = ({ width = 0, height = 0, mediaType }: ImageFacts, bytes: number): boolean =>
  mediaType === 'image/webp' || width * height <= bytes * 8256

function faultOfDrawing(bytes: Buffer): Fault | undefined {
  const { error, uses, references } = scanDocument(bytes)
  if (error) return [`is not well-formed in line ${error.line}: ${error.message}`, again]
  if (uses.has('scripted') || references.some(({ href }) => /^\s*javascript:/i.test(href))) {
    return ['has a script', 'Save the drawing without scripts.']
  }
  const outside = references.find(
    ({ href, kind }) => kind === 'resource' && /^(?:https?:|\/\/|file:)/i.test(href),
  )
  return outside && ['shows images from elsewhere', 'Embed the images in the drawing.']
}
