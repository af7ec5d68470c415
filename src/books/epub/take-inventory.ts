import { resolveInBook } from '../href.ts'
import { type Inventory, someFiles } from '../inventory.ts'
import { attributeOf, everyElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import type { Content } from './check-content.ts'
import { isFont } from './media-types.ts'
import { fallbacksOf, type Package } from './package.ts'
import type { PageTally } from './page-tally.ts'

/** What else was found in a book than is in its package. */
interface FoundInBook {
  readonly content: Content
  readonly tally: PageTally
  /** How many entries the table of contents has, and the documents that have one. */
  readonly entries: number
  readonly navigation: readonly string[]
  readonly cover: string | undefined
  /** Whether it has several packages, of which one is read. */
  readonly hasOthers: boolean
}

/** How many of the largest files are named. */
const largest = 3

/** What is in a book, from what was found while it was checked. */
export function takeInventory(zip: Zip, from: Package, found: FoundInBook): Inventory {
  const { content, tally, entries, hasOthers } = found
  const files = [...zip.entries].map(([path, { uncompressedSize: bytes }]) => ({ path, bytes }))
  const pathsOf = (isMeant: (mediaType: string) => boolean) =>
    from.items.flatMap(({ path, mediaType }) =>
      path !== undefined && isMeant(mediaType) && zip.entries.has(path) ? [path] : [],
    )
  const needed = neededPaths(from, found)
  const isKnown = content.isComplete && !content.isScripted && !hasOthers
  const unused = files
    .map(({ path }) => path)
    .filter(path => !needed.has(path) && !path.startsWith('META-INF/'))
  return {
    spine: from.spine.length,
    contents: entries,
    words: tally.words,
    isPartial: !content.isComplete,
    images: {
      files: new Set(pathsOf(mediaType => mediaType.startsWith('image/'))).size,
      shown: tally.images,
      withoutAlternative: tally.unnamedImages,
    },
    fonts: someFiles([...new Set(pathsOf(isFont))]),
    largest: files.sort((one, other) => other.bytes - one.bytes).slice(0, largest),
    ...(isKnown && { unused: someFiles(unused) }),
  }
}

/** The properties of items that reading systems look for in the manifest. */
const askedFor = new Set([
  'nav',
  'data-nav',
  'cover-image',
  'search-key-map',
  'dictionary',
  'glossary',
  'index',
])

/** The entries that something in the book leads to, besides those of `META-INF`. */
function neededPaths(from: Package, { content, navigation, cover }: FoundInBook): Set<string> {
  const needed = new Set(['mimetype', from.path, ...navigation, ...content.linked])
  const add = (path: string | undefined) => path !== undefined && needed.add(path)
  add(cover)
  for (const { item } of from.spine) add(item?.path)
  for (const { path } of from.guide) add(path)
  for (const item of from.items) {
    for (const id of [item.mediaOverlay, item.fallbackStyle]) add(from.itemById.get(id ?? '')?.path)
    for (const fallback of fallbacksOf(from, item)) add(fallback.path)
    // Reading systems ask for these by themselves, or pages name them in a way that is not followed.
    if (item.properties.some(each => askedFor.has(each)) || item.mediaType === 'application/pls+xml')
      add(item.path)
  }
  for (const element of everyElement(from.element))
    if (element.name === 'link') add(resolveInBook(from.path, attributeOf(element, 'href') ?? '')?.path)
  return needed
}
