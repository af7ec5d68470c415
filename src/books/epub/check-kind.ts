import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import type { Position } from '../position.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf, childrenOf, hasWord, textOf, type XmlElement } from '../xml.ts'
import { isEpub3, type Package, valuesOf } from './package.ts'

type Add = (message: string, position?: Position) => void

/** Adds what the kind of book that an EPUB 3 says that it is (`dc:type`) needs and is not there. */
export function checkKind(from: Package, problems: Problems): void {
  if (!isEpub3(from)) return
  const add: Add = (message, position = from.element.position) =>
    problemsIn(problems, from.path)('warning', 'kind_unfit', message, position)
  const types = from.metadata.filter(({ name }) => name === 'type').map(textOf)
  const collections = childrenOf(from.element, 'collection').filter(one => hasWord(one, 'role', 'dictionary'))
  const hasKeyMap = from.items.some(
    ({ properties }) => properties.includes('search-key-map') && properties.includes('dictionary'),
  )
  if (types.includes('dictionary') || collections.length > 0 || hasKeyMap)
    checkDictionary(from, types, collections, add)
  if (types.includes('edupub') || types.includes('teacher-edition')) checkEdupub(from, types, add)
  if (types.includes('preview')) checkPreview(from, add)
}

function checkDictionary(
  from: Package,
  types: readonly string[],
  collections: readonly XmlElement[],
  add: Add,
): void {
  const keyMaps = from.items.filter(({ properties }) => properties.includes('search-key-map'))
  if (!types.includes('dictionary')) add('The book has a dictionary, and does not say so (dc:type).')
  if (
    collections.length < 2 &&
    keyMaps.filter(({ properties }) => properties.includes('dictionary')).length !== 1
  ) {
    add('A dictionary needs one search key map, with the properties "search-key-map" and "dictionary".')
  }
  const counts = new Map<string, number>()
  for (const collection of collections) {
    const paths = childrenOf(collection, 'link').map(
      link => resolveInBook(from.path, attributeOf(link, 'href') ?? '')?.path,
    )
    const maps = keyMaps.filter(({ path }) => paths.includes(path))
    if (maps.length !== 1) {
      add(`A dictionary of the book has ${maps.length} search key maps, and needs one.`, collection.position)
    }
    for (const { path = '' } of maps) counts.set(path, (counts.get(path) ?? 0) + 1)
    const metadata = childOf(collection, 'metadata')
    checkLanguages(from, languagesIn(metadata), add, collection.position)
  }
  for (const [path, count] of counts) if (count > 1) add(`${path} is the search key map of two dictionaries.`)
  if (collections.length === 0) checkLanguages(from, () => [], add)
  const known = from.metadata.filter(({ name }) => name === 'language').map(textOf)
  for (const property of ['source-language', 'target-language']) {
    for (const language of [from.element, ...collections].flatMap(one =>
      languagesIn(childOf(one, 'metadata'))(property),
    )) {
      if (!known.includes(language))
        add(`The ${property} ${quotedText(language)} is no language of the book.`)
    }
  }
}

const languagesIn =
  (metadata: XmlElement | undefined) =>
  (property: string): string[] =>
    childrenOf(metadata, 'meta')
      .filter(meta => attributeOf(meta, 'property') === property)
      .map(textOf)

function checkLanguages(
  from: Package,
  own: (property: string) => string[],
  add: Add,
  position?: Position,
): void {
  for (const property of ['source-language', 'target-language']) {
    const general = valuesOf(from, property)
    if (general.length + own(property).length === 0) add(`A dictionary needs a ${property}.`, position)
    if (property === 'source-language' && Math.max(general.length, own(property).length) > 1) {
      add('A dictionary has one source-language.', position)
    }
  }
}

function checkEdupub(from: Package, types: readonly string[], add: Add): void {
  const features = valuesOf(from, 'schema:accessibilityFeature')
  if (!types.includes('edupub')) add('A teacher’s edition needs the dc:type "edupub" as well.')
  if (features.length === 0) add('An EDUPUB needs the property schema:accessibilityFeature.')
  else if (!features.includes('tableOfContents')) {
    add('An EDUPUB has "tableOfContents" among its schema:accessibilityFeature.')
  }
}

function checkPreview(from: Package, add: Add): void {
  const sources = from.metadata.filter(({ name }) => name === 'source')
  const own = from.metadata.filter(({ name }) => name === 'identifier').map(textOf)
  if (sources.some(source => own.includes(textOf(source)))) add('A preview names itself as its source.')
}
