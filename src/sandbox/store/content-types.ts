import mime from 'mime'
import type { PublicationType } from '../../service/contract/publication-type.ts'

const fallback = 'application/octet-stream'

/** The content type under which a book is sent, by its type and, for audio, by its file's name. */
export function bookContentType(type: PublicationType, filename: string): string {
  if (type === 'EPUB') return 'application/epub+zip'
  if (type === 'PDF') return 'application/pdf'
  const byName = mime.getType(filename)
  return byName?.startsWith('audio/') ? byName : 'application/lpf+zip'
}

/** The content type of a file of a kind, such as `image` or `font`, by its name. */
export function contentTypeOf(kind: string, filename: string): string {
  const byName = mime.getType(filename)
  return byName?.startsWith(`${kind}/`) ? byName : fallback
}
