import { given } from '../../system/given.ts'
import { compactIsbn } from '../isbn.ts'
import { tdmNamespaces } from '../rights/tdm-namespaces.ts'
import { noRightsFacts, type RightsFacts, rightsLimit } from '../rights-facts.ts'
import { attributeOf, childrenOf, descendantsOf, parseXml, textOf, type XmlElement } from '../xml.ts'

export interface Xmp {
  title?: string
  creators: string[]
  language?: string
  publisher?: string
  description?: string
  identifier?: string
  /** Whatever is given as an ISBN, compact and not checked. */
  isbns: string[]
  rights: RightsFacts
}

/** What a PDF's metadata stream says of the book. */
export function readXmp(xml: string | undefined): Xmp {
  const { root } = xml === undefined ? {} : parseXml(Buffer.from(startOfXml(xml)))
  const descriptions = descendantsOf(root, 'Description')
  const all = (name: string) => descriptions.flatMap(description => valuesIn(description, name))
  const first = (name: string) => all(name)[0]
  return {
    ...given({
      title: first('dc:title'),
      language: first('dc:language'),
      publisher: first('dc:publisher'),
      description: first('dc:description'),
      identifier: first('dc:identifier'),
    }),
    creators: all('dc:creator'),
    isbns: [...all('prism:isbn'), ...all('dc:identifier').filter(text => /^(?:urn:)?isbn/i.test(text))].map(
      compactIsbn,
    ),
    rights: rightsIn(root, descriptions),
  }
}

/**
 * What it says of text and data mining, and by IPTC's `DigitalSourceType` of what it came from. The prefixes of the first are
 * those that the document declares.
 */
function rightsIn(root: XmlElement | undefined, descriptions: readonly XmlElement[]): RightsFacts {
  const prefixes = [...new Set(declaredPrefixes(root))]
  const all = (names: readonly string[]) =>
    [...new Set(names.flatMap(name => descriptions.flatMap(each => valuesIn(each, name))))]
      .slice(0, rightsLimit)
      .map(value => ({ value, place: 'XMP' }))
  return {
    ...noRightsFacts(),
    reservations: all(prefixes.map(prefix => `${prefix}:reservation`)),
    policies: all(prefixes.map(prefix => `${prefix}:policy`)),
    digitalSources: all(['Iptc4xmpExt:DigitalSourceType']),
  }
}

/** The prefixes that stand for the TDM Reservation Protocol anywhere in a document. */
function declaredPrefixes(element: XmlElement | undefined): string[] {
  if (element === undefined) return []
  const own = element.attributes.flatMap((name, index) =>
    index % 2 === 0 &&
    /^xmlns(?::|$)/.test(name) &&
    tdmNamespaces.some(address => address === element.attributes[index + 1]?.trim())
      ? [name.slice('xmlns:'.length)]
      : [],
  )
  return [...own, ...childrenOf(element).flatMap(declaredPrefixes)]
}

/** Many write the byte order mark of the packet's header in the wrong encoding; the document begins after it. */
const startOfXml = (xml: string): string => xml.replace(/^[^<]*(?:<\?xpacket[^>]*\?>)?[^<]*/, '')

/** The values of a property: the items of its list, its one text, or its attribute. */
function valuesIn(description: XmlElement, name: string): string[] {
  const local = name.slice(name.indexOf(':') + 1)
  const elements = childrenOf(description, local)
  if (elements.length === 0) {
    const { attributes } = description
    const value = attributes.includes(name) ? attributeOf(description, name) : undefined
    return value === undefined ? [] : [value]
  }
  return elements.flatMap(element => {
    const items = descendantsOf(element, 'li')
    if (items.length === 0) return textOf(element) || (attributeOf(element, 'rdf:resource') ?? [])
    const isDefault = (item: XmlElement) => attributeOf(item, 'lang') === 'x-default'
    const sorted = [...items.filter(isDefault), ...items.filter(item => !isDefault(item))]
    return sorted.map(textOf).filter(Boolean)
  })
}
