import { attributeOf, parseXml } from './xml.ts'

/** The colour spaces of JPEG, PNG, GIF and WebP; one with a palette is RGB. */
export const colourSpaces = ['RGB', 'CMYK', 'grey'] as const
export type ColourSpace = (typeof colourSpaces)[number]

export interface ImageFacts {
  mediaType: string
  /** In pixels. */
  width?: number
  height?: number
  colourSpace?: ColourSpace
}

/** How the names of images end, by their types; the first one is what they are given. */
export const imageEndings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'image/svg+xml': ['.svg'],
}

/** An image's type and size from its first bytes; undefined if it is not an image type that books use. */
export function imageFacts(start: Buffer): ImageFacts | undefined {
  for (const read of [png, gif, jpeg, webp, svg]) {
    const facts = read(start)
    if (facts) return facts
  }
  return undefined
}

/** Whether the first bytes are those of AVIF or JPEG XL, whose size is not read. */
export const isNewerImage = (start: Buffer): boolean =>
  /^(?:.{4}ftypavi[fs]|\xFF\x0A|\0\0\0\x0CJXL \r\n\x87\n)/s.test(ascii(start, 0, 16))

const sized = (
  mediaType: string,
  width: number,
  height: number,
  colourSpace?: ColourSpace | undefined,
): ImageFacts => ({
  mediaType,
  ...(width > 0 && height > 0 && { width, height }),
  ...(colourSpace && { colourSpace }),
})

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end)

function png(bytes: Buffer): ImageFacts | undefined {
  if (ascii(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  return bytes.length < 24
    ? { mediaType: 'image/png' }
    : sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20), pngColours[bytes[25] ?? -1])
}

/** By the colour type of the header. */
const pngColours: Readonly<Record<number, ColourSpace>> = {
  0: 'grey',
  2: 'RGB',
  3: 'RGB',
  4: 'grey',
  6: 'RGB',
}

function gif(bytes: Buffer): ImageFacts | undefined {
  if (!/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return undefined
  return bytes.length < 10
    ? { mediaType: 'image/gif' }
    : sized('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8), 'RGB')
}

function jpeg(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 3 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  const mediaType = 'image/jpeg'
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number
    // A frame header, of any coding: C0 to CF without the tables C4, C8 and CC.
    if (marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0)) return frame(bytes, at)
    const isAlone = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += marker === 0xff ? 1 : isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return { mediaType }
}

const frame = (bytes: Buffer, at: number): ImageFacts =>
  sized('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), jpegColours[bytes[at + 9] ?? 0])

/** By the number of components. Four are CMYK, however they are coded. */
const jpegColours: Readonly<Record<number, ColourSpace>> = { 1: 'grey', 3: 'RGB', 4: 'CMYK' }

function webp(bytes: Buffer): ImageFacts | undefined {
  if (ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 12) !== 'WEBP') return undefined
  const mediaType = 'image/webp'
  const kind = ascii(bytes, 12, 16)
  if (bytes.length < 30) return { mediaType }
  if (kind === 'VP8X')
    return sized(mediaType, bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1, 'RGB')
  if (kind === 'VP8 ')
    return sized(mediaType, bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff, 'RGB')
  if (kind !== 'VP8L') return { mediaType }
  const bits = bytes.readUInt32LE(21)
  return sized(mediaType, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, 'RGB')
}

function svg(bytes: Buffer): ImageFacts | undefined {
  if (!/<(?:\w+:)?svg[\s>]/.test(bytes.toString('latin1'))) return undefined
  // The rest of the image is cut off; only its first element is needed, which is complete.
  const { root } = parseXml(bytes)
  if (root?.name !== 'svg') return undefined
  const [, , boxWidth, boxHeight] = (attributeOf(root, 'viewBox') ?? '').split(/[\s,]+/).map(Number)
  const width = pixels(attributeOf(root, 'width')) ?? boxWidth
  const height = pixels(attributeOf(root, 'height')) ?? boxHeight
  return sized('image/svg+xml', Math.round(width || 0), Math.round(height || 0))
}

const pixels = (length: string | undefined): number | undefined => {
  const number = /^([\d.]+)(?:px)?$/.exec(length ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}
