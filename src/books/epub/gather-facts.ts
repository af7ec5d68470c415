import type { NavigationEntry } from '../book.ts'
import type { ContentFacts, EntryFacts } from '../content-facts.ts'
import { decodeText } from '../decode.ts'
import { resolveInBook } from '../href.ts'
import type { ImageFacts } from '../image.ts'
import type { Marks } from '../marks.ts'
import { placeIn } from '../position.ts'
import type { WrittenValue } from '../rights-facts.ts'
import { attributeOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { readAccessibilityMetadata } from './accessibility.ts'
import type { NavigationDocument } from './navigation.ts'
import type { ManifestItem, Package } from './package.ts'
import { createPageWatcher, type FoundInPage, type PageWatcher } from './page-facts.ts'
import type { Protection } from './protection.ts'
import { isUnminified, styleMarks } from './style-facts.ts'
import { textIn, valueLimit } from './terms.ts'

/** Gathers what rules ask of an EPUB while it is read for the preflight, so that it is not read again. */
export interface Gathering {
  image(path: string, facts: ImageFacts): void
  page(path: string): PageWatcher
  style(path: string, css: string): void
  unread(path: string): void
  facts(
    zip: Zip,
    from: Package,
    protection: Protection,
    read: { documents: readonly NavigationDocument[]; chosen: NavigationDocument | undefined },
  ): Promise<ContentFacts>
}

export function createGathering(): Gathering {
  const images = new Map<string, ImageFacts>()
  const pages = new Map<string, PageWatcher>()
  const styles = new Map<string, Marks>()
  const unread: string[] = []
  return {
    image: (path, facts) => void images.set(path, facts),
    page(path) {
      const watcher = createPageWatcher()
      pages.set(path, watcher)
      return watcher
    },
    style: (path, css) => void styles.set(path, styleMarks(css)),
    unread: path => void unread.push(path),
    async facts(zip, from, protection, { documents, chosen }) {
      const scripts = await readScripts(zip, from, protection, unread)
      const found = new Map([...pages].map(([path, page]) => [path, page.found(path)]))
      return {
        files: filesOf(zip, from, protection, { images, pages: found, styles, scripts }),
        metadata: metadataOf(from),
        contents: contentsOf(zip, from, documents, chosen),
        accessibility: readAccessibilityMetadata(from),
        unread,
      }
    },
  }
}

/** The longest script that is read, and how many. */
const limits = { bytes: 4 * 2 ** 20, scripts: 50 }

async function readScripts(
  zip: Zip,
  { items }: Package,
  { encrypted }: Protection,
  unread: string[],
): Promise<Map<string, Marks>> {
  const found = new Map<string, Marks>()
  for (const { path, mediaType } of items) {
    if (path === undefined || !/(?:java|ecma)script$/.test(mediaType) || !zip.entries.has(path)) continue
    try {
      if (found.size >= limits.scripts || encrypted.has(path))
        throw new EntryError('entry_too_large', 'is not read')
      const { text } = decodeText(await zip.read(path, limits.bytes))
      found.set(path, new Map(isUnminified(text) ? [['unminified', { count: 1, line: 1 }]] : []))
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      unread.push(path)
    }
  }
  return found
}

interface Found {
  readonly images: ReadonlyMap<string, ImageFacts>
  readonly pages: ReadonlyMap<string, FoundInPage>
  readonly styles: ReadonlyMap<string, Marks>
  readonly scripts: ReadonlyMap<string, Marks>
}

function filesOf(zip: Zip, from: Package, { encrypted, obfuscated }: Protection, found: Found): EntryFacts[] {
  const items = new Map<string, ManifestItem>()
  for (const item of from.items) if (item.path !== undefined) items.set(item.path, item)
  const spine = new Set(from.spine.flatMap(({ item }) => item?.path ?? []))
  return [...zip.entries].flatMap(([path, { uncompressedSize: bytes }]): EntryFacts[] => {
    if (path.endsWith('/')) return []
    const item = items.get(path)
    const { width, height, colourSpace } = found.images.get(path) ?? {}
    const facts: EntryFacts = {
      ...{ path, bytes, isInSpine: spine.has(path) },
      isNavigation: item?.properties.includes('nav') === true,
      ...{ isEncrypted: encrypted.has(path), isObfuscated: obfuscated.has(path) },
      ...(item && { mediaType: item.mediaType }),
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(colourSpace && { colourSpace }),
    }
    const page = found.pages.get(path)
    const [style, script] = [found.styles.get(path), found.scripts.get(path)]
    if (page) return [{ ...facts, kind: 'page', ...page }]
    if (style) return [{ ...facts, kind: 'style', marks: style }]
    return [script ? { ...facts, kind: 'script', marks: script } : facts]
  })
}

const dublinCore =
  'contributor coverage creator date description format identifier language publisher relation rights source subject title type'.split(
    ' ',
  )

/** What the package document says of the book as a whole and of its parts, by the names that it is written with. */
function metadataOf(from: Package): Map<string, WrittenValue[]> {
  const found = new Map<string, WrittenValue[]>()
  const add = (name: string, element: XmlElement, value = textIn(element)): void => {
    const values = found.get(name) ?? []
    found.set(name, values)
    if (value.trim() !== '' && values.length < valueLimit)
      values.push({ value: value.trim(), ...placeIn(from.path, element.position) })
  }
  for (const each of from.metadata) {
    if (dublinCore.includes(each.name)) add(`dc:${each.name}`, each)
    else if (each.name === 'meta') add(attributeOf(each, 'property') ?? attributeOf(each, 'name') ?? '', each)
    else if (each.name === 'link')
      for (const rel of (attributeOf(each, 'rel') ?? '').split(' ')) add(rel, each)
  }
  return found
}

function contentsOf(
  zip: Zip,
  from: Package,
  documents: readonly NavigationDocument[],
  chosen: NavigationDocument | undefined,
): ContentFacts['contents'] {
  const spine = new Set(from.spine.flatMap(({ item }) => item?.path ?? []))
  const reached = (chosen?.links ?? [])
    .filter(({ list }) => list === 'toc')
    .flatMap(({ href }) => resolveInBook(chosen?.path ?? '', href)?.path ?? [])
    .map(path => zip.nameAt(path))
  const depthOf = (entries: readonly NavigationEntry[]) =>
    entries.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0)
  return {
    entries: chosen?.entries.length ?? 0,
    depth: depthOf(chosen?.entries ?? []),
    reached: new Set(reached.filter(path => spine.has(path))),
    landmarks: documents.flatMap(({ landmarks }) => landmarks),
    guide: from.guide.map(({ type }) => type),
    pages: documents.reduce((most, { pages }) => Math.max(most, pages), 0),
    hasDocument: documents.some(({ isNcx }) => !isNcx),
    hasNcx: documents.some(({ isNcx }) => isNcx),
  }
}
