import type { NavigationEntry } from '../book.ts'
import type { Position } from '../position.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf, childrenOf, descendantsOf, hasWord, textOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { checkNcx } from './check-ncx.ts'
import { itemWith, type Package } from './package.ts'
import { readXml } from './read-xml.ts'

/** Far above any table of contents that a person reads. */
const limits = { entries: 10_000, depth: 32 }

/** A reference of the navigation document or of the NCX. */
export interface NavigationLink {
  list: 'toc' | 'page-list' | 'landmarks' | 'other'
  href: string
  position: Position
}

/** A document of the book that leads to its pages. */
export interface NavigationDocument {
  path: string
  entries: NavigationEntry[]
  /** How many pages of a printed book are marked. */
  pages: number
  links: NavigationLink[]
  /** The kinds of its landmarks (epub:type). */
  landmarks: string[]
  isNcx: boolean
}

export const ncxType = 'application/x-dtbncx+xml'

/** The navigation document and the NCX, those that can be read; the first one that has entries is the book's. */
export async function readNavigation(
  zip: Zip,
  from: Package,
  problems: Problems,
): Promise<{ document?: NavigationDocument; ncx?: NavigationDocument }> {
  const read = async (path: string | undefined) => {
    if (path === undefined || !zip.entries.has(path)) return undefined
    const root = await readXml(zip, path, 'navigation', problems, {
      entities: htmlEntities,
      version: from.version,
    })
    return root && { path, root }
  }
  const navigation = await read(itemWith(from, 'nav')?.path)
  const document = navigation && { path: navigation.path, ...ofDocument(navigation.root) }
  const item = from.itemById.get(from.ncxId ?? '')
  const byType = from.items.find(({ mediaType }) => mediaType === ncxType)
  const ncx = await read((item?.mediaType === ncxType ? item : (byType ?? item))?.path)
  if (ncx) checkNcx(ncx.path, ncx.root, from, problems)
  const found = { ...(document && { document }), ...(ncx && { ncx: { path: ncx.path, ...ofNcx(ncx.root) } }) }
  if (!found.document?.entries.length && !found.ncx?.entries.length) {
    problemsIn(problems, from.path)('warning', 'navigation_missing', 'The book has no table of contents.')
  }
  return found
}

type Navigation = Omit<NavigationDocument, 'path'>

function ofDocument(root: XmlElement): Navigation {
  const navs = descendantsOf(root, 'nav')
  const toc =
    navs.find(nav => hasWord(nav, 'epub:type', 'toc')) ?? navs.find(nav => hasWord(nav, 'role', 'doc-toc'))
  const pages = navs.find(nav => hasWord(nav, 'epub:type', 'page-list'))
  const listOf = (nav: XmlElement): NavigationLink['list'] => {
    if (nav === toc) return 'toc'
    if (nav === pages) return 'page-list'
    return hasWord(nav, 'epub:type', 'landmarks') ? 'landmarks' : 'other'
  }
  return {
    entries: flatten(
      childrenOf(childOf(toc, 'ol'), 'li'),
      item => textOf(childrenOf(item).find(({ name }) => name === 'a' || name === 'span')),
      item => childrenOf(childOf(item, 'ol'), 'li'),
    ),
    pages: descendantsOf(pages, 'li').length,
    links: navs.flatMap(nav => linksIn(nav, 'a', 'href', listOf(nav))),
    landmarks: navs
      .filter(nav => listOf(nav) === 'landmarks')
      .flatMap(nav => descendantsOf(nav, 'a'))
      .flatMap(link => (attributeOf(link, 'epub:type') ?? '').split(/\s+/).filter(Boolean)),
    isNcx: false,
  }
}

function ofNcx(root: XmlElement): Navigation {
  const map = childOf(root, 'navMap')
  const pages = childOf(root, 'pageList')
  return {
    entries: flatten(
      childrenOf(map, 'navPoint'),
      point => textOf(childOf(childOf(point, 'navLabel'), 'text')),
      point => childrenOf(point, 'navPoint'),
    ),
    pages: childrenOf(pages, 'pageTarget').filter(target => attributeOf(target, 'type') !== 'front').length,
    links: [
      ...linksIn(map, 'content', 'src', 'toc'),
      ...linksIn(pages, 'content', 'src', 'page-list'),
      ...childrenOf(root, 'navList').flatMap(list => linksIn(list, 'content', 'src', 'other')),
    ],
    landmarks: [],
    isNcx: true,
  }
}

const linksIn = (
  within: XmlElement | undefined,
  name: string,
  attribute: string,
  list: NavigationLink['list'],
): NavigationLink[] =>
  descendantsOf(within, name).flatMap(element => {
    const href = attributeOf(element, attribute)
    return href === undefined ? [] : [{ list, href, position: element.position }]
  })

function flatten(
  outermost: readonly XmlElement[],
  titleOf: (element: XmlElement) => string,
  within: (element: XmlElement) => readonly XmlElement[],
): NavigationEntry[] {
  const entries: NavigationEntry[] = []
  const add = (elements: readonly XmlElement[], parent: readonly number[]): void => {
    for (const [index, element] of elements.entries()) {
      if (entries.length >= limits.entries || parent.length >= limits.depth) return
      const path = [...parent, index]
      entries.push({ title: titleOf(element), depth: parent.length, path })
      add(within(element), path)
    }
  }
  add(outermost, [])
  return entries
}

/** The entities of XHTML that tables of contents use, declared by a document type that is not fetched. */
const htmlEntities: Readonly<Record<string, string>> = {
  nbsp: '\u00A0',
  shy: '\u00AD',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  copy: '©',
  middot: '·',
  bull: '•',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  ntilde: 'ñ',
}
