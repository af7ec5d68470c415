import { quotedText } from '../book.ts'
import { isElsewhere, resolveInBook } from '../href.ts'
import { isLanguageTag } from '../language.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { isEpub3, type Package } from './package.ts'
import { nameFault, prefixesOf } from './property-names.ts'
import { linkProperties, linkRelations, oldLinkRelations } from './vocabulary.ts'

/** Adds what is wrong with the links of the metadata, to records and other files. */
export function checkLinks(zip: Zip, from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  const prefixes = prefixesOf(from)
  for (const link of from.metadata.filter(({ name }) => name === 'link')) {
    const href = attributeOf(link, 'href') ?? ''
    checkTarget(zip, from, link, href, problems)
    if (!isEpub3(from)) continue
    const names = [
      ...wordsIn(link, 'rel').map(name => [name, linkRelations] as const),
      ...wordsIn(link, 'properties').map(name => [name, linkProperties] as const),
    ]
    for (const [name, known] of names) {
      const fault = nameFault(name, one => known.includes(one), prefixes)
      if (fault) add('warning', fault.code, fault.message, link.position)
      else if (oldLinkRelations.includes(name)) {
        add(
          'warning',
          'property_deprecated',
          `The property ${quotedText(name)} is not used any more.`,
          link.position,
        )
      }
    }
    for (const message of faultsOf(link, href)) add('warning', 'link_wrong', message, link.position)
  }
}

const wordsIn = (link: XmlElement, attribute: string): string[] =>
  attributeOf(link, attribute)?.split(' ') ?? []

function checkTarget(zip: Zip, { path }: Package, link: XmlElement, href: string, problems: Problems): void {
  const add = problemsIn(problems, path)
  const { position } = link
  const found = href.startsWith('#') ? undefined : resolveInBook(path, href)
  if (found === undefined) return
  if (found.path !== path && !zip.entries.has(zip.nameAt(found.path))) {
    const message = `The metadata link to ${quotedText(href)}, which is not in the zip.`
    add('warning', 'link_target_missing', message, position)
  } else if (attributeOf(link, 'media-type') === undefined) {
    add('warning', 'link_media_type_missing', `The link to ${quotedText(href)} has no media type.`, position)
  }
}

/** What is wrong with a link of EPUB 3 by what it says of itself. */
function* faultsOf(link: XmlElement, href: string): Generator<string> {
  const relations = wordsIn(link, 'rel')
  const type = attributeOf(link, 'media-type')
  const refines = attributeOf(link, 'refines')
  if (relations.length === 0) yield 'A link of the metadata does not say what it is to the book (rel).'
  if (/^(?:data|file):/i.test(href)) yield `A link of the metadata has the address ${quotedText(href)}.`
  if (href.startsWith('#'))
    yield `The link to ${quotedText(href)} leads to an element of the package document.`
  if (relations.includes('alternate') && relations.length > 1) {
    yield 'The relation "alternate" stands beside another one.'
  }
  if (relations.includes('record') && refines !== undefined) {
    yield 'A record is of the whole book, and cannot refine anything.'
  }
  if (relations.includes('voicing') && refines === undefined) {
    yield 'A voicing does not say what it speaks (refines).'
  }
  if (relations.includes('voicing') && type !== undefined && !type.startsWith('audio/')) {
    yield `A voicing is ${quotedText(type)}, and no sound.`
  }
  if (type === undefined && isElsewhere(href) && relations.some(one => ['record', 'voicing'].includes(one))) {
    yield `The link to ${quotedText(href)} has no media type, as a record and a voicing need.`
  }
  if (isEmptied(link, 'properties')) yield 'The properties of a link are empty.'
  const language = attributeOf(link, 'hreflang')
  if (language !== undefined && !isLanguageTag(language)) {
    yield `The language ${quotedText(language)} of a link is not a language tag such as en or pt-BR.`
  } else if (isSpaced(link, 'hreflang')) yield 'The language of a link has spaces around it.'
}

const rawOf = ({ attributes }: XmlElement, name: string): string | undefined => {
  const at = attributes.findIndex((text, index) => index % 2 === 0 && text === name)
  return at < 0 ? undefined : attributes[at + 1]
}

/** Whether an attribute is there and has no value. */
const isEmptied = (element: XmlElement, name: string): boolean => rawOf(element, name)?.trim() === ''

/** Whether an attribute has spaces around its value. */
export const isSpaced = (element: XmlElement, name: string): boolean => {
  const raw = rawOf(element, name)
  return raw !== undefined && raw !== raw.trim()
}
