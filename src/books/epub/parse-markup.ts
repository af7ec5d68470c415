import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import type { ExactPosition, Position } from '../position.ts'
import { tagPosition } from '../xml.ts'
import { countWords } from './count-words.ts'
import type { PageListener } from './page-facts.ts'
import type { TagScan } from './scan-tags.ts'
import type { MarkupName, StartTag } from './start-tag.ts'

const doctypeLimit = 10_000

class Malformed extends Error {}

/**
 * Reads any page with the parser. Reading ends where it is not well-formed, at the first error, as a reading system's does.
 * Throws Enough as the scan does.
 */
export function parseMarkup(text: string, scan: TagScan, listener: PageListener | undefined): void {
  const { found } = scan
  // Undeclared prefixes are an error to reading systems as well.
  const parser = new SaxesParser({ position: true, xmlns: true })
  let at: Position = { line: 1 }
  let declaresEntities = false
  parser.on('doctype', doctype => {
    scan.doctype(doctype)
    // Its entities are in a file that is not fetched.
    declaresEntities = doctype.length > doctypeLimit || /\b(?:PUBLIC|SYSTEM)\b/.test(doctype)
    if (declaresEntities) return
    for (const [, name = ''] of doctype.matchAll(/<!ENTITY\s{1,20}([^\s%"']{1,100})\s/g))
      parser.ENTITIES[name] = ''
  })
  parser.on('processinginstruction', ({ target, body }) => {
    if (target !== 'xml-stylesheet') return
    const href = /\shref\s{0,20}=\s{0,20}["']([^"']{1,2000})["']/.exec(` ${body.slice(0, 5000)}`)?.[1]
    found.hasStyle = true
    if (href !== undefined) scan.addReference(href, { line: parser.line }, 'resource', 'link')
  })
  parser.on('error', ({ message }) => {
    if (declaresEntities && /undefined entity/.test(message)) return
    found.error = {
      message: message.replace(/^[\d:]+ /, '').replace(/\.$/, ''),
      line: parser.line,
      column: Math.max(1, parser.columnIndex),
    }
    throw new Malformed()
  })
  parser.on('opentagstart', ({ name }) => {
    at = tagPosition(parser, name, text)
  })
  let style: { css: string; begins: ExactPosition; position: number } | undefined
  parser.on('opentag', tag => {
    listener?.opened(tag, at)
    scan.opened(new ParsedTag(tag, at))
    if (tag.local !== 'style') return
    const begins = { line: parser.line, column: parser.columnIndex + 1 }
    style = { css: '', begins, position: parser.position }
  })
  const read = (text: string): void => {
    if (style) style.css += text
    scan.words(countWords(text))
    listener?.text(text, { line: parser.line })
  }
  parser.on('text', read)
  parser.on('cdata', read)
  parser.on('closetag', ({ local }) => {
    listener?.closed(local)
    scan.closed(local)
    if (local !== 'style' || style === undefined) return
    const { css, begins, position } = style
    const written = text.slice(position, position + 2 * css.length)
    scan.style({ css, begins, isPlain: written.replace(/\r\n?/g, '\n').startsWith(css) })
    style = undefined
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
}

class ParsedTag implements StartTag {
  readonly #tag: SaxesTagNS
  readonly #attributes: readonly SaxesAttributeNS[]
  readonly at: Position

  constructor(tag: SaxesTagNS, at: Position) {
    this.#tag = tag
    this.#attributes = Object.values(tag.attributes)
    this.at = at
  }

  get local(): string {
    return this.#tag.local
  }

  get uri(): string {
    return this.#tag.uri
  }

  get attributeCount(): number {
    return this.#attributes.length
  }

  attributeName(index: number): MarkupName {
    return this.#attributes[index] as SaxesAttributeNS
  }

  attributeValue(index: number): string {
    return (this.#attributes[index] as SaxesAttributeNS).value
  }

  // The attributes of a tag have no prototype.
  get(name: string): string | undefined {
    return this.#tag.attributes[name]?.value
  }
}
