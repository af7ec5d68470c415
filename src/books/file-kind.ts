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

/** Whether a file is surely of a kind that is no sound: an image, a PDF or a zip. */
export const isSoundless = (start: Buffer): boolean =>
  imageFacts(start) !== undefined || /^(?:%PDF-|PK\x03\x04)/.test(start.toString('latin1', 0, 5))

/** The kinds of sound and film that are known by their first bytes, with the media types that such a file may have. */
const soundTypes: readonly (readonly [name: string, pattern: RegExp, mediaTypes: RegExp])[] = [
  // Other programs than those of MP3 begin their files with ID3 as well.
  ['MP3', /^(?:ID3|\xFF[\xE2-\xE7\xEA-\xEF\xF2-\xF7\xFA-\xFF])/, /mpeg|mp3|mpa|aac|flac/],
  ['MP4', /^.{4}ftyp/s, /mp4|m4a|m4b|m4v|quicktime|3gp|aac/],
  ['Ogg', /^OggS/, /ogg|opus|vorbis|speex|flac/],
  ['FLAC', /^fLaC/, /flac/],
  ['WAVE', /^RIFF.{4}WAVE/s, /wav/],
  ['WebM', /^\x1A\x45\xDF\xA3/, /webm|matroska|opus|vorbis/],
]

/** What sound or film really is, if that is another of the known kinds than its media type says; undefined if it may be that. */
export function otherSound(mediaType: string, start: Buffer): string | undefined {
  if (!soundTypes.some(([, , mediaTypes]) => mediaTypes.test(mediaType))) return undefined
  const text = start.toString('latin1', 0, 16)
  const found = soundTypes.find(([, pattern]) => pattern.test(text))
  return found === undefined || found[2].test(mediaType) ? undefined : found[0]
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

/** Whether sound ends before it is complete, by the sizes that MP4 and WAVE write at the beginning. */
export function isCutSound(start: Buffer, bytes: number): boolean {
  const text = start.toString('latin1', 0, 12)
  if (/^RIFF.{4}WAVE/s.test(text)) {
    const size = start.readUInt32LE(4)
    // Programs that write without an end leave the largest number there.
    return size < 0xffffff00 && size + 8 > bytes
  }
  if (!/^.{4}ftyp/s.test(text)) return false
  for (let at = 0; at + 16 <= start.length; ) {
    const short = start.readUInt32BE(at)
    const size = short === 1 ? Number(start.readBigUInt64BE(at + 8)) : short
    // The last part may say that it goes to the end.
    if (size === 0) return false
    if (size < 8 || at + size > bytes) return true
    at += size
  }
  return false
}
