import { given } from '../../system/given.ts'
import { compactIsbn } from '../isbn.ts'
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
  }
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
    if (items.length === 0) return textOf(element) || []
    const isDefault = (item: XmlElement) => attributeOf(item, 'lang') === 'x-default'
    const sorted = [...items.filter(isDefault), ...items.filter(item => !isDefault(item))]
    return sorted.map(textOf).filter(Boolean)
  })
}
