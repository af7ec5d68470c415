import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childrenOf, hasWord, textOf } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { isEpub3, type ManifestItem, type Package, valuesOf } from './package.ts'
import type { ScannedDocument } from './scanned-document.ts'

export const searchKeyMapType = 'application/vnd.epub.search-key-map+xml'

/** What the pages of an EPUB 3 say that their parts are (`epub:type`), against what the package says of the book. */
export interface Semantics {
  /** Notes what was found in a document. */
  add(item: ManifestItem, path: string, scanned: ScannedDocument): void
  check(problems: Problems): void
}

export function createSemantics(zip: Zip, from: Package): Semantics {
  const byItem = new Map<ManifestItem, ScannedDocument['semantics']>()
  const said: { path: string; message: string }[] = []
  return {
    add(item, path, { semantics, hasUntypedNav, references, error }) {
      if (error) return
      byItem.set(item, semantics)
      const say = (message: string): void => void said.push({ path, message })
      const isData = item.properties.includes('data-nav')
      if (isData && hasUntypedNav) say('A list of the data navigation does not say what it is (epub:type).')
      if (semantics.has('region-based')) {
        if (!isData)
          say('A region-based navigation stands outside of a document with the property "data-nav".')
        else if (!isFixedBook(from)) say('A region-based navigation is for books of a fixed layout.')
      }
      if (item.mediaType !== searchKeyMapType) return
      const groups = references.filter(({ element }) => element === 'search-key-group')
      if (groups.length === 0) say('The search key map has no groups.')
      for (const { href } of groups) {
        const target = from.itemByPath.get(zip.nameAt(resolveInBook(path, href)?.path ?? ''))
        if (target && target.mediaType !== 'application/xhtml+xml')
          say(`${quotedText(href)} leads to a file that is no page.`)
      }
    },
    check(problems) {
      if (!isEpub3(from)) return
      for (const { path, message } of said) problemsIn(problems, path)('warning', 'kind_unfit', message)
      const add = problemsIn(problems, from.path)
      const has = (kind: string) => [...byItem.values()].some(semantics => semantics.has(kind))
      const isKind = (kind: string) => from.metadata.some(one => one.name === 'type' && textOf(one) === kind)
      for (const kind of ['dictionary', 'index']) {
        if (isKind(kind) && !has(kind)) {
          add(
            'warning',
            'kind_unfit',
            `The book says that it is of the type ${kind}, and no page has one (epub:type).`,
            from.element.position,
          )
        }
      }
      for (const item of indexesOf(from)) {
        if (byItem.get(item)?.has('index') !== false) continue
        add(
          'warning',
          'kind_unfit',
          `${item.path} is declared as an index, and has none (epub:type).`,
          item.position,
        )
      }
    },
  }
}

/** The pages that the manifest or a collection declares as an index. */
function indexesOf({ path, element, items }: Package): ManifestItem[] {
  const inCollections = new Set(
    childrenOf(element, 'collection')
      .filter(collection => hasWord(collection, 'role', 'index'))
      .flatMap(collection => childrenOf(collection, 'link'))
      .flatMap(link => resolveInBook(path, attributeOf(link, 'href') ?? '')?.path ?? []),
  )
  return items.filter(
    item =>
      item.mediaType === 'application/xhtml+xml' &&
      (item.properties.includes('index') || inCollections.has(item.path ?? '')),
  )
}

const isFixedBook = (from: Package): boolean =>
  valuesOf(from, 'rendition:layout')[0] === 'pre-paginated' ||
  from.spine.some(({ properties }) => properties.includes('rendition:layout-pre-paginated'))
