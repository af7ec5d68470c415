import { SaxesParser } from 'saxes'
import { decodeText } from './decode.ts'
import { declaredEntities } from './entities.ts'
import type { Position } from './position.ts'

/** An element of a document; its name has no prefix. */
export interface XmlElement {
  name: string
  /** Names with their prefixes, and values, alternately. This takes half the memory of an object. */
  attributes: readonly string[]
  content: (XmlElement | string)[]
  /** Where its start tag begins. */
  position: Position
}

export interface XmlError {
  code: 'xml_malformed' | 'xml_too_large' | 'xml_encoding'
  message: string
  line?: number
  column?: number
}

/** The readable part of a document, and its faults. */
export interface XmlDocument {
  root?: XmlElement
  /** The encoding that it was decoded from, by the name that `TextDecoder` gives it. */
  encoding: string
  /** The encoding that its declaration names. */
  declaredEncoding?: string
  /** What stands in its document type after \`<!DOCTYPE\`, to its limit. */
  doctype?: string
  error?: XmlError
}

// Far more than books have, but few enough to stop a document that is meant to exhaust the memory.
export const xmlLimits = {
  elements: 20_000,
  depth: 256,
  attributes: 250_000,
  attributesOfOne: 256,
  errors: 20,
  expanded: 1_000_000,
  doctype: 1000,
}

class LimitExceeded extends Error {}

/** The content of elements without any, of which a book may have a hundred thousand. */
export const noContent: XmlElement['content'] = []

/**
 * Reads a document into a tree. Of the entities that it declares, plain texts are expanded; nothing that a document refers to
 * is opened. Of a document that is not well-formed, the readable part is returned. `entities` may be used without a declaration, such as HTML's.
 * With `namespaces`, a prefix that is not declared is a fault.
 */
export function parseXml(
  bytes: Uint8Array,
  {
    elements = xmlLimits.elements,
    entities = {},
    namespaces = false,
  }: { elements?: number; entities?: Readonly<Record<string, string>>; namespaces?: boolean } = {},
): XmlDocument {
  const { text, encoding, encodingError } = decodeText(bytes)
  const parser = new SaxesParser({ position: true, xmlns: namespaces })
  Object.assign(parser.ENTITIES, entities)
  const found: XmlDocument = {
    encoding,
    ...(encodingError && { error: { code: 'xml_encoding', message: encodingError } }),
  }
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding) found.declaredEncoding = encoding
  })
  parser.on('doctype', doctype => {
    // A second one is an error, which the parser tells; its declarations do not count.
    if (found.doctype !== undefined) return
    found.doctype = doctype.slice(0, xmlLimits.doctype)
    let expanded = 0
    for (const [name, text] of declaredEntities(doctype)) {
      const get = () => {
        expanded += text.length
        if (expanded > xmlLimits.expanded) throw new LimitExceeded('its entities are longer than any book')
        return text
      }
      Object.defineProperty(parser.ENTITIES, name, { get })
    }
  })
  const open: XmlElement[] = []
  const counts = { elements: 0, attributes: 0, errors: 0 }
  const append = (content: XmlElement | string) => appendTo(open.at(-1), content)

  parser.on('error', error => {
    // One prefix may be missing everywhere, and what it stands before can be read all the same.
    if (!error.message.includes('unbound namespace prefix')) counts.errors += 1
    found.error ??= {
      code: 'xml_malformed',
      message: error.message.replace(/^[\d:]+ /, '').replace(/\.$/, ''),
      line: parser.line,
      column: Math.max(1, parser.columnIndex),
    }
    if (counts.errors > xmlLimits.errors) throw new LimitExceeded('it has too many errors to continue')
  })
  const attributes: string[] = []
  let position: Position = { line: 1 }
  parser.on('opentagstart', ({ name }) => {
    position = tagPosition(parser, name, text)
  })
  parser.on('attribute', ({ name, value }) => {
    counts.attributes += 1
    attributes.push(name, value)
    if (counts.attributes > xmlLimits.attributes || attributes.length > 2 * xmlLimits.attributesOfOne) {
      throw new LimitExceeded('it has more attributes than any book')
    }
  })
  parser.on('opentag', tag => {
    counts.elements += 1
    if (counts.elements > elements) throw new LimitExceeded('it has more elements than any book')
    if (open.length >= xmlLimits.depth)
      throw new LimitExceeded('its elements are nested deeper than in any book')
    // A copy has no room to spare, which an array keeps that grows.
    const element = {
      name: localName(tag.name),
      attributes: attributes.slice(),
      content: noContent,
      position,
    }
    attributes.length = 0
    append(element)
    found.root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', append)
  parser.on('cdata', append)
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    found.error ??= { code: 'xml_too_large', message: error.message, line: parser.line }
  }
  return found
}

/** Adds to the content of an element, if there is one. */
export function appendTo(within: XmlElement | undefined, content: XmlElement | string): void {
  if (within?.content === noContent) within.content = [content]
  else within?.content.push(content)
}

/** Where a tag begins whose name a parser has just read, together with the character after it; `text` is what is read. */
export function tagPosition(
  { line, columnIndex, position }: Pick<SaxesParser, 'line' | 'columnIndex' | 'position'>,
  name: string,
  text: string,
): Position {
  if (columnIndex > 0) return { line, column: columnIndex - name.length - 1 }
  // The character after it was the end of the line.
  const start = text.lastIndexOf('<', position - 1)
  const lineBegan = Math.max(text.lastIndexOf('\n', start), text.lastIndexOf('\r', start)) + 1
  return { line: line - 1, column: start - lineBegan + 1 }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The elements directly within one, all or those of a name. */
export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  const all = element?.content ?? []
  return all.filter(
    (child): child is XmlElement => typeof child !== 'string' && (!name || child.name === name),
  )
}

/** The first element of a name directly within one. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(element, name)[0]

/** All elements of a name at any depth within one, in document order. */
export function descendantsOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element ? everyElement(element).filter(one => one !== element && one.name === name) : []
}

/** An element and all within it, in document order. */
export function everyElement(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const look = (at: XmlElement): void => {
    found.push(at)
    for (const child of at.content) if (typeof child !== 'string') look(child)
  }
  look(element)
  return found
}

/** The most characters of one text; more are cut off. */
const textLimit = 100_000

/** An element's text with that of the elements within it, white space collapsed. */
export function textOf(element: XmlElement | undefined): string {
  const parts: string[] = []
  let left = textLimit
  const collect = (within: XmlElement): void => {
    for (const child of within.content) {
      if (left <= 0) return
      if (typeof child !== 'string') collect(child)
      else {
        parts.push(child.slice(0, left))
        left -= child.length
      }
    }
  }
  if (element) collect(element)
  return collapse(parts.join(''))
}

/** An attribute, trimmed; its name may be given without its prefix. Undefined if it is empty. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (!element) return undefined
  const value = attributeValue(element.attributes, name)
  return value === undefined ? undefined : collapse(value.slice(0, textLimit)) || undefined
}

/** The value of the attribute of exactly this name, else of the first one whose name is this without its prefix. */
function attributeValue(attributes: XmlElement['attributes'], name: string): string | undefined {
  let found: string | undefined
  for (let at = 0; at < attributes.length; at += 2) {
    const full = attributes[at] as string
    if (full === name) return attributes[at + 1]
    if (full.endsWith(name) && localName(full) === name) found ??= attributes[at + 1]
  }
  return found
}

/** Whether an attribute with a list of words contains this one. */
export const hasWord = (element: XmlElement, attribute: string, word: string): boolean =>
  attributeOf(element, attribute)?.split(' ').includes(word) ?? false

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()
