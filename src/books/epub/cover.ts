import { type BookCover, quotedText } from '../book.ts'
import { coverAt } from '../cover.ts'
import type { ProblemCode } from '../hints.ts'
import { resolveInBook } from '../href.ts'
import { createProblems, type Problems, problemsIn } from '../problems.ts'
import { attributeOf, descendantsOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { itemWith, namedMeta, type Package } from './package.ts'
import { readXml } from './read-xml.ts'

/** The cover image as either version of EPUB declares it, or as the cover page shows it. */
export async function findCover(zip: Zip, from: Package, problems: Problems): Promise<BookCover | undefined> {
  const positionOf = (path: string) => from.items.find(item => item.path === path)?.position
  const warn = (code: ProblemCode, message: string, path: string) =>
    problemsIn(problems, from.path)('warning', code, message, positionOf(path))
  const declared = itemWith(from, 'cover-image')?.path ?? coverByMeta(from)
  const page = coverPage(from)
  const shown = await imageAt(zip, from, page)
  const image =
    (await imageAt(zip, from, declared)) ??
    (isSaidToBeCover(from, page) ? shown : undefined) ??
    (await imageAt(zip, from, undeclaredCover(from)))
  if (image) {
    const alt = image.alt ?? (shown?.path === image.path ? shown.alt : undefined)
    const { path } = image
    return await coverAt(zip, path, mediaTypeOf(from, path), alt, (severity, code, message, place) =>
      problemsIn(problems, place ?? from.path)(severity, code, message, place ? undefined : positionOf(path)),
    )
  }
  const meta = namedMeta(from, 'cover')
  if (declared !== undefined)
    warn('cover_missing', `The cover ${declared} is not in the zip, or is not an image.`, declared)
  else if (meta !== undefined)
    warn('cover_missing', `The metadata names the cover ${quotedText(meta)}, which is not in the book.`, '')
  return undefined
}

/** The cover by EPUB 2's `meta`, which should name an id and often names a file. */
function coverByMeta(from: Package): string | undefined {
  const content = namedMeta(from, 'cover')
  if (!content) return undefined
  const path = resolveInBook(from.path, content)?.path
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
  from: Package,
  path: string | undefined,
): Promise<{ path: string; alt?: string } | undefined> {
  if (path === undefined || !zip.entries.has(path)) return undefined
  // Old books have pages whose names end in .xml.
  if (!/html/.test(mediaTypeOf(from, path)) && !/\.x?html?$/i.test(path)) return { path }
  // What is wrong with the page is found when the chapters are looked at.
  const root = await readXml(zip, path, 'cover_page', createProblems())
  for (const element of imagesIn(root)) {
    const href = attributeOf(element, 'src') ?? attributeOf(element, 'href') ?? ''
    const found = resolveInBook(path, href)
    const target = found && zip.nameAt(found.path)
    const alt = attributeOf(element, 'alt')
    if (target !== undefined && zip.entries.has(target)) return { path: target, ...(alt && { alt }) }
  }
  return undefined
}

const imagesIn = (root: XmlElement | undefined): XmlElement[] => [
  ...descendantsOf(root, 'img'),
  ...descendantsOf(root, 'image'),
]
