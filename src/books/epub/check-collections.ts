import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf, childrenOf, hasWord, textOf, type XmlElement } from '../xml.ts'
import type { Package } from './package.ts'
import { isEpub3 } from './package.ts'
import { nameFault, prefixesOf } from './property-names.ts'
import { metaRules } from './vocabulary.ts'

/** What a collection of a role is made of. */
interface CollectionRule {
  /** The roles of the collections that may be within it. */
  within?: readonly string[]
  /** The roles of those that it has to be within. */
  below?: readonly string[]
  /** The roles of collections that it has to have. */
  has?: readonly string[]
  /** The elements that its metadata need. */
  metadata?: readonly string[]
  hasLinks?: true
  /** What its links may lead to. */
  links?: readonly string[]
}

const page = 'application/xhtml+xml'
const searchKeyMap = 'application/vnd.epub.search-key-map+xml'

const rules: Readonly<Record<string, CollectionRule>> = {
  manifest: { below: ['any'], within: [], hasLinks: true },
  dictionary: { within: [], links: [page, searchKeyMap] },
  index: { within: ['index-group'], links: [page] },
  'index-group': { below: ['index'], within: [], links: [page] },
  preview: { has: ['manifest'], hasLinks: true, links: [page, 'image/svg+xml'] },
  'distributable-object': { metadata: ['identifier', 'title', 'language'], hasLinks: true },
  'scriptable-component': { has: ['manifest'], hasLinks: true },
}

/** Adds what is wrong with the collections of an EPUB 3: dictionaries, indexes, previews and others that IDPF has defined. */
export function checkCollections(from: Package, problems: Problems): void {
  if (!isEpub3(from)) return
  const prefixes = prefixesOf(from)
  const wrong = (message: string, { position }: XmlElement) =>
    problemsIn(problems, from.path)('warning', 'collection_wrong', message, position)
  const check = (collection: XmlElement, parent: XmlElement | undefined): void => {
    const inner = childrenOf(collection, 'collection')
    for (const [role, rule] of Object.entries(rules)) {
      if (!hasWord(collection, 'role', role)) continue
      for (const message of faultsOf(collection, role, rule, parent)) wrong(message, collection)
      for (const link of childrenOf(collection, 'link')) {
        const href = attributeOf(link, 'href') ?? ''
        const type = from.itemByPath.get(resolveInBook(from.path, href)?.path ?? '')?.mediaType
        if (type === undefined ? role === 'dictionary' : rule.links?.includes(type) === false) {
          wrong(`The collection ${quotedText(role)} has ${quotedText(href)}, which it cannot have.`, link)
        }
        if (role === 'preview' && href.includes('#epubcfi(')) {
          wrong(`The link ${quotedText(href)} of the preview does not lead to a whole page.`, link)
        }
      }
    }
    for (const meta of childrenOf(childOf(collection, 'metadata'), 'meta')) {
      const property = attributeOf(meta, 'property') ?? ''
      const fault = nameFault(property, name => Object.hasOwn(metaRules, name), prefixes)
      if (fault) problemsIn(problems, from.path)('warning', fault.code, fault.message, meta.position)
    }
    for (const one of inner) check(one, collection)
  }
  for (const collection of childrenOf(from.element, 'collection')) check(collection, undefined)
}

function* faultsOf(
  collection: XmlElement,
  role: string,
  { within, below, has = [], metadata = [], hasLinks }: CollectionRule,
  parent: XmlElement | undefined,
): Generator<string> {
  const named = `The collection ${quotedText(role)}`
  const inner = childrenOf(collection, 'collection')
  const isOf = (one: XmlElement, roles: readonly string[]) => roles.some(known => hasWord(one, 'role', known))
  if (within && inner.some(one => !isOf(one, within))) yield `${named} has a collection that it cannot have.`
  if (below && (parent === undefined || !(below.includes('any') || isOf(parent, below)))) {
    yield `${named} stands outside of what it is for.`
  }
  for (const one of has) {
    if (!inner.some(child => isOf(child, [one]))) yield `${named} has no collection ${quotedText(one)}.`
  }
  if (hasLinks && childrenOf(collection, 'link').length === 0) yield `${named} has no links.`
  for (const name of metadata) {
    const found = childrenOf(childOf(collection, 'metadata'), name)
    if (!found.some(one => textOf(one) !== '')) yield `${named} has no ${name}.`
  }
}
