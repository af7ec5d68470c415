import { UsageFailure } from '../system/errors.ts'
import type { Zip } from './zip.ts'

/** The failure for a file that is no EPUB, PDF or LPF; it says what the file seems to be instead. */
export function notABook(path: string, found: Buffer | Zip | string, hint?: string): UsageFailure {
  const what =
    typeof found === 'string'
      ? found
      : `is ${Buffer.isBuffer(found) ? bytesAre(found) : zipIs(found)}, not a book`
  return new UsageFailure(`${path} ${what}`, {
    code: 'not_a_book',
    hint: hint ?? 'The service takes EPUB, PDF and LPF audiobooks.',
  })
}

function zipIs({ entries, directoryError }: Zip): string {
  if (entries.has('[Content_Types].xml')) return 'an Office document'
  if (entries.has('META-INF/manifest.xml')) return 'an OpenDocument file'
  if (entries.has('META-INF/MANIFEST.MF')) return 'a Java archive'
  if ([...entries.keys()].some(name => /\.(?:epub|pdf|lpf)$/i.test(name))) return 'a zip that holds books'
  if (directoryError !== undefined) return `a zip with a damaged directory (${directoryError})`
  return 'a zip without a package document or publication manifest'
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^.{60}BOOKMOBI/s, 'a Kindle (MOBI) file'],
  [/^\xEADRMION/, 'a Kindle (KFX) file'],
  [/^Rar!/, 'a RAR archive'],
  [/^7z\xBC\xAF/, 'a 7-Zip archive'],
  [/^\x1F\x8B/, 'a gzip file'],
  [/^\{\\rtf/, 'a rich text file'],
  [/^\xD0\xCF\x11\xE0/, 'an old Office document'],
  [/^(?:\xFF\xD8\xFF|\x89PNG|GIF8|RIFF.{4}WEBP)/s, 'an image'],
  [/^(?:ID3|\xFF[\xFB\xF3\xF2]|OggS|fLaC|RIFF.{4}WAVE|.{4}ftyp)/s, 'a sound or video file'],
  [/^(?:\xEF\xBB\xBF)?\s*(?:<!doctype html|<html)/i, 'a web page'],
  [/^(?:\xEF\xBB\xBF)?\s*<\?xml/, 'an XML file'],
  [/^\0+$/, 'a file of zeros'],
]

function bytesAre(start: Buffer): string {
  const text = start.toString('latin1')
  const known = kinds.find(([pattern]) => pattern.test(text))
  if (known) return known[1]
  return /[\0-\x08\x0E-\x1A]/.test(text) ? 'a file of an unknown kind' : 'a text file'
}
