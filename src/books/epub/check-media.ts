import type { Severity } from '../book.ts'
import { isCutImage, isNoMedia, isOfKind, isSoundless, otherSound } from '../file-kind.ts'
import type { ProblemCode } from '../hints.ts'
import { imageFacts } from '../image.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError, type EntrySample } from '../zip-entry.ts'
import type { Gathering } from './gather-facts.ts'
import type { ManifestItem, Package } from './package.ts'
import type { Protection } from './protection.ts'

/** How many bytes of a book's images, fonts and sound are looked at. */
const limit = 256 * 2 ** 20

type Found = { severity: Severity; code: ProblemCode; message: string }

/** Adds the images, fonts, sound and film of the manifest that are not what they are said to be. */
export async function checkMedia(
  zip: Zip,
  from: Package,
  { encrypted, obfuscated }: Protection,
  cover: string | undefined,
  problems: Problems,
  gathering?: Gathering,
): Promise<void> {
  let left = limit
  for (const item of from.items) {
    const { path, mediaType } = item
    const entry = path === undefined ? undefined : zip.entries.get(path)
    if (path === undefined || entry === undefined || !isMedia.test(mediaType)) continue
    if (encrypted.has(path) || obfuscated.has(path) || entry.isEncrypted) continue
    left -= Math.max(entry.compressedSize, entry.uncompressedSize)
    if (left < 0) {
      const message = `It is not looked at whether this file and those after it are what they are declared as: pubctl reads ${limit / 2 ** 20} MiB of a book for that.`
      problemsIn(problems, path)('information', 'not_examined', message)
      return
    }
    try {
      const sample = await zip.sample(path)
      const image = gathering && mediaType.startsWith('image/') ? imageFacts(sample.start) : undefined
      if (image) gathering?.image(path, image)
      const found = faultOf(item, sample, entry.uncompressedSize, path === cover)
      if (found) problemsIn(problems, path)(found.severity, found.code, found.message)
    } catch (error) {
      // What is damaged is said of every entry.
      if (!(error instanceof EntryError)) throw error
    }
  }
}

const isMedia =
  /^(?:image\/(?:jpe?g|png|gif|webp)|audio\/|video\/|font\/|application\/(?:vnd\.ms-opentype|font-|x-font-))/

function faultOf(
  { mediaType }: ManifestItem,
  sample: EntrySample,
  bytes: number,
  isCover: boolean,
): Found | undefined {
  const { start } = sample
  // What is wrong with a cover is said of it.
  if (isCover && imageFacts(start) === undefined) return undefined
  if (bytes === 0) {
    // Some leave sound and fonts empty that they name as a fallback.
    const severity = mediaType.startsWith('image/') ? 'error' : 'warning'
    return { severity, code: 'resource_empty', message: 'This file is empty.' }
  }
  if (!mediaType.startsWith('image/')) return faultOfSoundOrFont(mediaType, start)
  const facts = imageFacts(start)
  const declared = mediaType.replace('image/jpg', 'image/jpeg')
  if (facts === undefined) {
    const severity = isNoMedia(start) ? 'error' : 'warning'
    return { severity, code: 'image_unreadable', message: 'This file cannot be read as an image.' }
  }
  if (isCutImage(sample, bytes)) {
    return { severity: 'warning', code: 'image_cut', message: 'This image ends before it is complete.' }
  }
  if (facts.mediaType === declared || isCover) return undefined
  const message = `This image is declared as ${mediaType} but is ${facts.mediaType}.`
  return { severity: 'warning', code: 'image_type_wrong', message }
}

function faultOfSoundOrFont(mediaType: string, start: Buffer): Found | undefined {
  const isFont = !/^(?:audio|video)\//.test(mediaType)
  // There are more kinds of sound than are known here.
  const isAsDeclared =
    isOfKind(isFont ? 'font' : 'sound', start) || !(isFont || isNoMedia(start) || isSoundless(start))
  const declared = `This file is declared as ${mediaType}`
  if (!isAsDeclared) {
    const what = isFont ? 'a font' : 'sound or film'
    const code = isFont ? 'font_unreadable' : 'sound_unreadable'
    return { severity: 'warning', code, message: `${declared}, and is not ${what}.` }
  }
  const other = isFont ? undefined : otherSound(mediaType, start)
  return other
    ? { severity: 'warning', code: 'sound_type_wrong', message: `${declared} but is ${other}.` }
    : undefined
}
