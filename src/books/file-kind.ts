import { imageFacts } from './image.ts'
import type { EntrySample } from './zip-entry.ts'

/** The kinds of files that are known by their first bytes. */
const kinds: readonly (readonly [kind: string, RegExp])[] = [
  ['font', /^(?:wOFF|wOF2|OTTO|true|typ1|ttcf|\0\x01\0\0)/],
  ['sound', /^(?:ID3|\xFF[\xE0-\xFF]|OggS|fLaC|RIFF.{4}WAVE|.{4}ftyp|\x1A\x45\xDF\xA3|FORM|#!AMR)/s],
]

/** Whether the beginning of a file is that of a font, or that of sound or film. */
export const isOfKind = (kind: 'font' | 'sound', start: Buffer): boolean =>
  kinds.some(([known, pattern]) => known === kind && pattern.test(start.toString('latin1', 0, 16)))

/** Whether a file is text or nothing but zeros, so that it is no picture and no sound whatever its kind. */
export function isNoMedia(start: Buffer): boolean {
  const text = start.toString('latin1', 0, 512)
  return /^\0+$/.test(text) || !/[\0-\x08\x0E-\x1A\x7F-\x9F]/.test(text)
}

/** Whether an image ends before it is complete. */
export function isCutImage({ start, end }: EntrySample, bytes: number): boolean {
  const tail = end.toString('latin1')
  switch (imageFacts(start)?.mediaType) {
    case 'image/png':
      return !tail.includes('IEND')
    case 'image/gif':
      return !tail.includes(';')
    case 'image/jpeg':
      return !tail.includes('\xFF\xD9')
    case 'image/webp':
      return start.readUInt32LE(4) + 8 > bytes
    default:
      return false
  }
}
