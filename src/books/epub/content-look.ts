import type { ContentLook } from '../accessibility-facts.ts'
import { decodeText } from '../decode.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { imagesIn } from './image-tags.ts'
import type { Package } from './package.ts'

/** What is read at most: documents, the bytes of one and of all of them. Few books have more. */
const limits = { documents: 500, bytesOfOne: 4 * 2 ** 20, bytes: 32 * 2 ** 20 }

const contentTypes = [
  'application/xhtml+xml',
  'text/html',
  'application/x-dtbook+xml',
  'text/x-oeb1-document',
]

/** Counts the images of the documents in the reading order that are not encrypted, and those without alternative text. */
export async function lookIntoContent(
  zip: Zip,
  { spine }: Package,
  encrypted: ReadonlySet<string>,
): Promise<Omit<ContentLook, 'hasPageList' | 'hasMediaOverlays'>> {
  const paths = new Set(
    spine.flatMap(({ item }) =>
      item?.path !== undefined && contentTypes.includes(item.mediaType) && zip.entries.has(item.path)
        ? [item.path]
        : [],
    ),
  )
  const look: Omit<ContentLook, 'hasPageList' | 'hasMediaOverlays'> = {
    documents: 0,
    unseenDocuments: 0,
    images: 0,
    imagesWithoutAlt: 0,
  }
  let bytes = 0
  for (const path of paths) {
    bytes += zip.entries.get(path)?.uncompressedSize ?? 0
    const isReadable = look.documents < limits.documents && bytes <= limits.bytes && !encrypted.has(path)
    const text = isReadable ? await textAt(zip, path) : undefined
    if (text === undefined) {
      look.unseenDocuments += 1
      continue
    }
    look.documents += 1
    for (const { position, hasAlternative } of imagesIn(text)) {
      look.images += 1
      if (hasAlternative) continue
      look.imagesWithoutAlt += 1
      look.firstWithoutAlt ??= `${path}:${lineAt(text, position)}`
    }
  }
  return look
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

async function textAt(zip: Zip, path: string): Promise<string | undefined> {
  try {
    return decodeText(await zip.read(path, limits.bytesOfOne)).text
  } catch (error) {
    if (error instanceof EntryError) return undefined
    throw error
  }
}
