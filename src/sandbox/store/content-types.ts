import { extname } from 'node:path'
import type { PublicationType } from '../../service/contract/publication-type.ts'

/** The content types of images, fonts and audio, by the extensions of their files. */
const byExtension: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.m4b': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.flac': 'audio/x-flac',
}

const typeOf = (filename: string): string | undefined => byExtension[extname(filename).toLowerCase()]

/** The content type under which a book is sent, by its type and, for audio, by its file's name. */
export function bookContentType(type: PublicationType, filename: string): string {
  if (type === 'EPUB') return 'application/epub+zip'
  if (type === 'PDF') return 'application/pdf'
  const byName = typeOf(filename)
  return byName?.startsWith('audio/') ? byName : 'application/lpf+zip'
}

/** The content type of a file of a kind, such as `image` or `font`, by its name. */
export function contentTypeOf(kind: string, filename: string): string {
  const byName = typeOf(filename)
  return byName?.startsWith(`${kind}/`) ? byName : 'application/octet-stream'
}
