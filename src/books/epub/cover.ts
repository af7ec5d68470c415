import { type BookCover, type Problem, quoted } from '../book.ts'
import { coverAt } from '../cover.ts'
import { resolveHref } from '../href.ts'
import { attributeOf, descendantsOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { itemWith, namedMeta, type Package } from './package.ts'
import { readXml } from './read-xml.ts'

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
    warn('cover_missing', `The cover ${declared} is not in the zip, or is not an image.`)
  else if (meta !== undefined)
    warn('cover_missing', `The metadata names the cover ${quoted(meta)}, which is not in the book.`)
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

/** The page that shows the cover: the one in the guide, else the first page if its name says so. */
function coverPage({ guide, spine }: Package): string | undefined {
  const first = spine[0]?.item?.path
  return (
    guide.find(({ type }) => type === 'cover')?.path ??
    (/cover/i.test(first?.slice(first.lastIndexOf('/') + 1) ?? '') ? first : undefined)
  )
}

const isSaidToBeCover = ({ guide }: Package, page: string | undefined): boolean =>
  guide.some(({ type, path }) => type === 'cover' && path === page)

/** An image that is not declared as the cover, but has an id that says so. */
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
