import { quotedText } from '../book.ts'
import { isLanguageTag } from '../language.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childrenOf, everyElement, textOf, type XmlElement } from '../xml.ts'
import { isSpaced } from './check-metadata-links.ts'
import { isEpub3, type Package } from './package.ts'

type Add = ReturnType<typeof problemsIn>

/** Adds what is wrong with the elements of the package document as such: their order, their ids, their languages. */
export function checkPackageShape(from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  checkNamespace(from.element, add)
  checkParts(from, add)
  checkIds(from, add)
  if (!isEpub3(from)) return
  for (const element of everyElement(from.element)) {
    const language = attributeOf(element, 'xml:lang')
    if (language !== undefined && !isLanguageTag(language)) {
      const message = `The language ${quotedText(language)} is not a language tag such as en or pt-BR.`
      add('warning', 'language_invalid', message, element.position)
    } else if (isSpaced(element, 'xml:lang')) {
      add('warning', 'language_invalid', 'A language has spaces around it.', element.position)
    }
  }
  const filled = new Set(from.metadata.filter(element => textOf(element) !== '').map(({ name }) => name))
  for (const element of from.metadata) {
    const { name, position } = element
    if (!metadataElements.includes(name)) {
      add('warning', 'element_unknown', `The metadata have an element ${quotedText(name)}.`, position)
    } else if (textOf(element) === '' && !['meta', 'link'].includes(name)) {
      // Where there is no other one, it is said that it is missing.
      if (required.includes(name) && !filled.has(name)) continue
      add('warning', 'meta_empty', `The element ${quotedText(name)} has no text.`, position)
    }
  }
}

const required = ['title', 'language', 'identifier', 'creator']

/** The elements of Dublin Core, and those of EPUB 3. */
const metadataElements =
  'contributor coverage creator date description format identifier language publisher relation rights source subject title type meta link'.split(
    ' ',
  )

const namespaces = ['http://www.idpf.org/2007/opf', 'http://openebook.org/namespaces/oeb-package/1.0/']

/** Old books have none. */
function checkNamespace({ attributes, position }: XmlElement, add: Add): void {
  const own = attributes.indexOf('xmlns')
  const given = attributes.filter((_, at) => at % 2 === 1 && /^xmlns(?::|$)/.test(attributes[at - 1] ?? ''))
  if (own < 0 || given.some(address => namespaces.includes(address.trim()))) return
  const message = `The package has the namespace ${quotedText(attributes[own + 1] ?? '')}, which is not that of EPUB.`
  add('warning', 'package_namespace_wrong', message, position)
}

/** The parts of a package document, in the order in which they have to stand. */
const parts = ['metadata', 'manifest', 'spine', 'tours', 'guide', 'bindings', 'collection']

function checkParts(from: Package, add: Add): void {
  let last = 0
  for (const { name, position, content } of childrenOf(from.element)) {
    const at = parts.indexOf(name)
    if (at < 0) add('warning', 'element_unknown', `The package has an element ${quotedText(name)}.`, position)
    // EPUB 2 leaves the order free where it is not the usual one.
    else if (at < last && isEpub3(from)) {
      add(
        'warning',
        'element_misplaced',
        `The element ${quotedText(name)} stands after what it has to stand before.`,
        position,
      )
    }
    last = Math.max(last, at)
    if (name === 'guide' && content.every(child => typeof child === 'string')) {
      add('warning', 'guide_empty', 'The guide has no references.', position)
    }
    if (name === 'bindings' && isEpub3(from)) {
      add(
        'warning',
        'property_deprecated',
        'The bindings of types to scripts are not used any more.',
        position,
      )
    }
  }
}

/** Two elements with one id, other than two items, which are said as such. */
function checkIds({ element, items }: Package, add: Add): void {
  const seen = new Set(items.map(({ id }) => id))
  for (const { position, attributes } of everyElement(element)) {
    const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'id')
    const id = attributes[at + 1]?.trim() ?? ''
    if (at < 0 || id === '') continue
    if (seen.has(id)) add('warning', 'package_id_doubled', `The id ${quotedText(id)} occurs twice.`, position)
    seen.add(id)
  }
}
