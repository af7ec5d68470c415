import { addTo } from '../../system/add-to.ts'
import { given } from '../../system/given.ts'
import { isElsewhere, resolveInBook } from '../href.ts'
import type { Position } from '../position.ts'
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../xml.ts'

export interface ManifestItem {
  id: string
  href: string
  /** The item's name within the zip; absent when it lies elsewhere. */
  path?: string
  /** Whether its path has more `..` than there are folders. */
  leavesBook: boolean
  /** Whether it lies elsewhere, such as on the web. */
  isRemote: boolean
  mediaType: string
  properties: readonly string[]
  /** The id of what to show where this cannot be shown. */
  fallback?: string
  /** The same for a style, in EPUB 2. */
  fallbackStyle?: string
  /** The id of the overlay that reads it aloud. */
  mediaOverlay?: string
  position: Position
}

/** A place in the reading order. */
interface SpineItem {
  item?: ManifestItem
  idref: string
  properties: readonly string[]
  isLinear: boolean
  position: Position
}

/** A `meta` of EPUB 3 (`property`, about the book or about `refines`) or of EPUB 2 (`name`). */
interface Meta {
  property?: string
  name?: string
  refines?: string
  value: string
}

/** The package document of an EPUB, of either version, as it is written. */
export interface Package {
  path: string
  element: XmlElement
  version?: string
  metadata: XmlElement[]
  metas: Meta[]
  /** The values of EPUB 3 metas, by their property and the id that they refine. */
  values: ReadonlyMap<string, readonly string[]>
  items: ManifestItem[]
  itemById: ReadonlyMap<string, ManifestItem>
  /** By the names within the zip; those that lie elsewhere by what the manifest names them. */
  itemByPath: ReadonlyMap<string, ManifestItem>
  spine: SpineItem[]
  /** The id that the spine names as the NCX. */
  ncxId?: string
  guide: { type: string; path: string; position: Position }[]
}

/** Reads a package document, whatever namespace prefixes it uses. `nameAt` gives the zip's name for a path. */
export function readPackage(path: string, element: XmlElement, nameAt: (path: string) => string): Package {
  const metadata = metadataElements(element)
  const metas = metadata.filter(({ name }) => name === 'meta').map(meta)
  const manifest = childOf(element, 'manifest')
  const items = childrenOf(manifest, 'item').map(item => manifestItem(path, item, nameAt))
  // Their elements are not needed any more, and would take as much memory again.
  if (manifest) manifest.content = []
  const itemById = new Map(items.map(item => [item.id, item]))
  const spine = childOf(element, 'spine')
  const version = attributeOf(element, 'version')
  const ncxId = attributeOf(spine, 'toc')
  return {
    path,
    element,
    ...(version && { version }),
    metadata,
    metas,
    values: valuesByProperty(metas),
    items,
    itemById,
    itemByPath: new Map(items.map(item => [item.path ?? item.href, item])),
    spine: childrenOf(spine, 'itemref').map(reference => {
      const idref = attributeOf(reference, 'idref') ?? ''
      const item = itemById.get(idref)
      return {
        ...(item && { item }),
        idref,
        properties: propertiesOf(reference),
        isLinear: attributeOf(reference, 'linear') !== 'no',
        position: reference.position,
      }
    }),
    ...(ncxId && { ncxId }),
    guide: childrenOf(childOf(element, 'guide'), 'reference').flatMap(reference => {
      const target = resolveInBook(path, attributeOf(reference, 'href') ?? '')
      const type = attributeOf(reference, 'type')?.toLowerCase() ?? ''
      return target ? [{ type, path: nameAt(target.path), position: reference.position }] : []
    }),
  }
}

/** Whether a package says that it is of a version 3, of which rules for properties are. */
export const isEpub3 = ({ version }: Pick<Package, 'version'>): boolean => version?.startsWith('3') === true

/** The values of an EPUB 3 property: about the book as a whole, or about the element that has an id. */
export const valuesOf = ({ values }: Package, property: string, id = ''): readonly string[] =>
  values.get(keyOf(property, id)) ?? []

const keyOf = (property: string, id: string): string => `${property} ${id}`

/** The content of an EPUB 2 `meta` by its name. */
export const namedMeta = ({ metas }: Package, name: string): string | undefined =>
  metas.find(meta => meta.name?.toLowerCase() === name)?.value

/** The manifest's first item that has a property. */
export const itemWith = ({ items }: Package, property: string): ManifestItem | undefined =>
  items.find(({ properties }) => properties.includes(property))

/** What is shown in an item's place, in the order in which it is tried. */
export function fallbacksOf({ itemById }: Package, item: ManifestItem): ManifestItem[] {
  const chain: ManifestItem[] = []
  let next = itemById.get(item.fallback ?? '')
  while (next !== undefined && !chain.includes(next) && chain.length < chainLimit) {
    chain.push(next)
    next = itemById.get(next.fallback ?? '')
  }
  return chain
}

/** Longer than any chain of fallbacks in a book. */
const chainLimit = 20

/** The types of pages in either version of EPUB, and those of books from before EPUB. */
const pageTypes = [
  'application/xhtml+xml',
  'image/svg+xml',
  'application/x-dtbook+xml',
  'text/html',
  'text/x-oeb1-document',
]

/** Whether a reading system shows an item as a page. */
export const isPage = ({ mediaType }: ManifestItem): boolean => pageTypes.includes(mediaType)

/** The entries that are in the reading order, what stands in for them included. */
export const pagePathsOf = (from: Package): Set<string> =>
  new Set(
    from.spine
      .flatMap(({ item }) => (item ? [item, ...fallbacksOf(from, item)] : []))
      .flatMap(({ path }) => path ?? []),
  )

/** Dublin Core elements by name, those that the oldest EPUBs wrap in `dc-metadata` included. */
function metadataElements(element: XmlElement): XmlElement[] {
  const metadata = childOf(element, 'metadata')
  return childrenOf(metadata).flatMap(child =>
    child.name === 'dc-metadata' || child.name === 'x-metadata' ? childrenOf(child) : [child],
  )
}

function valuesByProperty(metas: readonly Meta[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { property, refines, value } of metas) {
    if (property === undefined) continue
    addTo(values, keyOf(property, refines?.replace(/^#/, '') ?? ''), value)
  }
  return values
}

function manifestItem(from: string, element: XmlElement, nameAt: (path: string) => string): ManifestItem {
  const href = attributeOf(element, 'href') ?? ''
  const found = resolveInBook(from, href)
  const fallback = attributeOf(element, 'fallback')
  const fallbackStyle = attributeOf(element, 'fallback-style')
  const mediaOverlay = attributeOf(element, 'media-overlay')
  return {
    id: attributeOf(element, 'id') ?? '',
    href,
    ...(found?.path && { path: nameAt(found.path) }),
    leavesBook: found?.leavesBook === true,
    isRemote: isElsewhere(href),
    mediaType: attributeOf(element, 'media-type')?.toLowerCase() ?? '',
    properties: propertiesOf(element),
    ...(fallback && { fallback }),
    ...(fallbackStyle && { fallbackStyle }),
    ...(mediaOverlay && { mediaOverlay }),
    position: element.position,
  }
}

function meta(element: XmlElement): Meta {
  return {
    ...given({
      property: attributeOf(element, 'property'),
      name: attributeOf(element, 'name'),
      refines: attributeOf(element, 'refines'),
    }),
    value: textOf(element) || (attributeOf(element, 'content') ?? ''),
  }
}

const propertiesOf = (element: XmlElement): readonly string[] =>
  attributeOf(element, 'properties')?.split(' ') ?? noProperties

/** Shared, since a book may have a hundred thousand items. */
const noProperties: readonly string[] = []
