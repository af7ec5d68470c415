import type { NavigationEntry, Problem } from '../book.ts'
import { attributeOf, childOf, childrenOf, descendantsOf, hasWord, textOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { itemWith, type Package } from './package.ts'
import { readXml } from './read-xml.ts'

/** Far above any table of contents that a person reads. */
const limits = { entries: 10_000, depth: 32 }

interface Navigation {
  entries: NavigationEntry[]
  /** How many pages of a printed book are marked. */
  pages: number
}

/** The table of contents and the page list: of the navigation document, else of the NCX. */
export async function readNavigation(zip: Zip, from: Package, problems: Problem[]): Promise<Navigation> {
  const document = itemWith(from, 'nav')
  if (document?.path !== undefined && zip.entries.has(document.path)) {
    const navigation = ofDocument(await readXml(zip, document.path, 'navigation', problems, htmlEntities))
    if (navigation.entries.length > 0) return navigation
  }
  const ncxType = 'application/x-dtbncx+xml'
  const ncx = from.itemById.get(from.ncxId ?? '') ?? from.items.find(({ mediaType }) => mediaType === ncxType)
  if (ncx?.path !== undefined && zip.entries.has(ncx.path)) {
    const navigation = ofNcx(await readXml(zip, ncx.path, 'navigation', problems, htmlEntities))
    if (navigation.entries.length > 0) return navigation
  }
  const message = 'The book has no table of contents.'
  problems.push({ severity: 'warning', code: 'navigation_missing', message, place: from.path })
  return { entries: [], pages: 0 }
}

function ofDocument(root: XmlElement | undefined): Navigation {
  const navs = descendantsOf(root, 'nav')
  const toc =
    navs.find(nav => hasWord(nav, 'epub:type', 'toc')) ?? navs.find(nav => hasWord(nav, 'role', 'doc-toc'))
  const pages = navs.find(nav => hasWord(nav, 'epub:type', 'page-list'))
  return {
    entries: flatten(
      childrenOf(childOf(toc, 'ol'), 'li'),
      item => textOf(childrenOf(item).find(({ name }) => name === 'a' || name === 'span')),
      item => childrenOf(childOf(item, 'ol'), 'li'),
    ),
    pages: descendantsOf(pages, 'li').length,
  }
}

function ofNcx(root: XmlElement | undefined): Navigation {
  return {
    entries: flatten(
      childrenOf(childOf(root, 'navMap'), 'navPoint'),
      point => textOf(childOf(childOf(point, 'navLabel'), 'text')),
      point => childrenOf(point, 'navPoint'),
    ),
    pages: childrenOf(childOf(root, 'pageList'), 'pageTarget').filter(
      target => attributeOf(target, 'type') !== 'front',
    ).length,
  }
}

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
