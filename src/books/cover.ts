import { basename } from 'node:path/posix'
import { type BookCover, type Problem, quoted } from './book.ts'
import { itemWith, namedMeta, type Package } from './epub/package.ts'
import { readXml } from './epub/read-xml.ts'
import { coverLimit } from './file.ts'
import { resolveHref } from './href.ts'
import { imageFacts } from './image.ts'
import { attributeOf, descendantsOf, type XmlElement } from './xml.ts'
import { EntryTrouble, type Zip } from './zip.ts'

/** How much of an image is read for its type and size; pictures from cameras begin with long notes. */
const headerBytes = 256 * 1024

/** The cover image as either version of EPUB declares it, or as the cover page shows it. */
export async function findCover(
  zip: Zip,
  from: Package,
  problems: Problem[],
): Promise<BookCover | undefined> {
  const warn = (code: string, message: string) =>
    void problems.push({ severity: 'warning', code, message, place: from.path })
  const declared = itemWith(from, 'cover-image')?.path ?? coverByMeta(from)
  const page = coverPage(from)
  const shown = await imageAt(zip, page)
  const image =
    (await imageAt(zip, declared)) ??
    (isSaidToBeCover(from, page) ? shown : undefined) ??
    (await imageAt(zip, undeclaredCover(from)))
  if (image) {
    const alt = image.alt ?? (shown?.path === image.path ? shown.alt : undefined)
    return await coverAt(zip, image.path, mediaTypeOf(from, image.path), alt, warn)
  }
  const meta = namedMeta(from, 'cover')
  if (declared !== undefined)
    warn('cover_missing', `The cover ${declared} is not in the zip, or is no image.`)
  else if (meta !== undefined)
    warn('cover_missing', `The cover is said to be ${quoted(meta)}, which the book does not have.`)
  return undefined
}

/** The cover by EPUB 2's `meta`, which should name an id and often names a file. */
function coverByMeta(from: Package): string | undefined {
  const content = namedMeta(from, 'cover')
  if (!content) return undefined
  const path = resolveHref(from.path, content)
  const item =
    from.itemById.get(content) ??
    from.items.find(({ href, path: at }) => href === content || (path && at === path))
  return item?.path
}

/** The page that shows the cover: as the guide says, else the first page when it is called so. */
function coverPage({ guide, spine }: Package): string | undefined {
  const first = spine[0]?.item?.path
  return (
    guide.find(({ type }) => type === 'cover')?.path ??
    (/cover/i.test(first?.slice(first.lastIndexOf('/') + 1) ?? '') ? first : undefined)
  )
}

const isSaidToBeCover = ({ guide }: Package, page: string | undefined): boolean =>
  guide.some(({ type, path }) => type === 'cover' && path === page)

/** An image that is nowhere said to be the cover, and is called so. */
const undeclaredCover = ({ items }: Package): string | undefined =>
  items.find(({ id, mediaType }) => mediaType.startsWith('image/') && /^cover([-_]?image)?$/i.test(id))?.path

const mediaTypeOf = ({ items }: Package, path: string): string =>
  items.find(item => item.path === path)?.mediaType ?? ''

/** The image at a path, or the first one shown by the page at that path. */
async function imageAt(
  zip: Zip,
  path: string | undefined,
): Promise<{ path: string; alt?: string } | undefined> {
  if (path === undefined || !zip.entries.has(path)) return undefined
  if (!/\.x?html?$/i.test(path)) return { path }
  const root = await readXml(zip, path, 'cover_page', [])
  for (const element of imagesIn(root)) {
    const href = attributeOf(element, 'src') ?? attributeOf(element, 'href') ?? ''
    const target = resolveHref(path, href)
    const alt = attributeOf(element, 'alt')
    if (target !== undefined && zip.entries.has(target)) return { path: target, ...(alt && { alt }) }
  }
  return undefined
}

const imagesIn = (root: XmlElement | undefined): XmlElement[] => [
  ...descendantsOf(root, 'img'),
  ...descendantsOf(root, 'image'),
]

/** What is known of the cover image at a path of the zip. */
export async function coverAt(
  zip: Zip,
  path: string,
  declaredType: string,
  alt: string | undefined,
  warn: (code: string, message: string) => void,
): Promise<BookCover | undefined> {
  const bytes = zip.entries.get(path)?.uncompressedSize ?? 0
  if (bytes > coverLimit) {
    warn('cover_too_large', `The cover ${path} is larger than ${coverLimit / 2 ** 20} MiB.`)
    return undefined
  }
  try {
    const facts = imageFacts(await zip.readStart(path, headerBytes))
    const mediaType = facts?.mediaType ?? declaredType
    if (!mediaType.startsWith('image/')) {
      warn('cover_missing', `The cover ${path} is no image.`)
      return undefined
    }
    if (!facts) warn('cover_unreadable', `The cover ${path} is not the image that it is said to be.`)
    else if (declaredType && facts.mediaType !== declaredType.replace('image/jpg', 'image/jpeg')) {
      warn('cover_type_wrong', `The cover ${path} is said to be ${declaredType} and is ${facts.mediaType}.`)
    }
    return { path, ...facts, mediaType, bytes, ...(alt && { alt }) }
  } catch (error) {
    if (!(error instanceof EntryTrouble)) throw error
    warn('cover_unreadable', `The cover ${path} ${error.message}.`)
    return undefined
  }
}

/** A file name for a cover: its own, with the ending that fits its type. */
export function coverFilename({ path, mediaType }: BookCover): string {
  const ending = endings[mediaType]
  const own = basename(path).replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
  if (ending === undefined || ending.some(known => own.toLowerCase().endsWith(known))) return own || 'cover'
  return `${own.replace(/\.[^.]*$/, '') || 'cover'}${ending[0]}`
}

const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'image/svg+xml': ['.svg'],
}
