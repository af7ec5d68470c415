import { isUtf8 } from 'node:buffer'
import { encodingOfXml } from '../decode.ts'
import type { Position } from '../position.ts'
import { readTextContent, readValue, referenceAt } from './character-references.ts'
import { wordKind, wordKinds } from './count-words.ts'
import { byteOf, codeUnitAt, isSpace, nameBytes, nameKinds, textBytes, textKinds } from './markup-bytes.ts'
import { isAt, type KnownName, nameAt } from './markup-names.ts'
import { NamespaceScope } from './namespace-scope.ts'
import { PositionCounter } from './position-counter.ts'
import type { MarkupEvents, MarkupName, StartTag, StyleText } from './start-tag.ts'

/**
 * Reads a page, or another document, as nearly all of those in books are: well-formed, in UTF-8, without rare parts. It looks at the
 * bytes and makes texts only of what is asked for: for what is looked at in a page, this takes a third of the time of decoding and
 * parsing it. False if it met anything else, be it wrong or only rare: then the parser has to read it, and what was told of it does not
 * count.
 */
export function readUsualMarkup(bytes: Uint8Array, events: MarkupEvents): boolean {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!/^utf-?8$/i.test(encodingOfXml(page)) || !isUtf8(page)) return false
  if (nonCharacters.some(each => page.includes(each))) return false
  try {
    new UsualMarkup(page, events).read()
    return true
  } catch (error) {
    if (error !== unusual) throw error
    return false
  }
}

/** Made once: to make an error takes as long as to read a short page. */
const unusual = new Error('this page is for the parser')

/** Leaves the page to the parser, also where there is more in it than is read. */
export function leave(): never {
  throw unusual
}

/** What XML does not allow in UTF-8, besides control characters. */
const nonCharacters = [Buffer.from('\uFFFE'), Buffer.from('\uFFFF')]

const byteOrderMark = Buffer.from('\uFEFF')

const xmlDeclaration =
  /^<\?xml[ \r\n]{1,20}version=(?:"1\.0"|'1\.0')(?:[ \r\n]{1,20}encoding=(["'])([A-Za-z][\w.-]{0,40})\1)?(?:[ \r\n]{1,20}standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \r\n]{0,20}\?>/

const doctypeDeclaration = /^<!DOCTYPE([\w \t\n"./:+-]{0,500})>/

/** What a declaration may take. */
const declarationRoom = 600

/** More than a tag has. Each is compared with those before it. */
const attributeLimit = 64

/** An attribute of the tag that is read: its name, and where its value lies. */
interface Attribute {
  name: KnownName
  start: number
  end: number
  /** Whether its value is written as it is: in ASCII, on one line, without references. */
  isPlain: boolean
}

class UsualMarkup implements StartTag {
  readonly #page: Buffer
  readonly #events: MarkupEvents
  #at = 0
  readonly #open: KnownName[] = []
  readonly #namespaces = new NamespaceScope()
  readonly #positions: PositionCounter
  #hasDoctype = false
  #hasRoot = false
  /** The style that is open. */
  #style: StyleText | undefined

  /** The tag that is read. Its attributes are used again for the next one. */
  #tagBegins = 0
  readonly #attributes: Attribute[] = []
  attributeCount = 0
  local = ''
  uri = ''

  constructor(page: Buffer, events: MarkupEvents) {
    this.#page = page
    this.#events = events
    if (page.subarray(0, byteOrderMark.length).equals(byteOrderMark)) this.#at = byteOrderMark.length
    this.#positions = new PositionCounter(page, this.#at)
  }

  /** Throws `unusual`. */
  read(): void {
    const page = this.#page
    const [declaration = '', , encoding] = xmlDeclaration.exec(this.#ahead()) ?? []
    if (encoding !== undefined) this.#events.declared?.(encoding)
    this.#at += declaration.length
    for (;;) {
      if (this.#open.length === 0) this.#at = this.#afterSpaces(this.#at)
      else this.#readText()
      if (this.#at >= page.length) break
      if (page[this.#at] !== byteOf.less) throw unusual
      const next = page[this.#at + 1]
      if (next === byteOf.slash) this.#readEndTag()
      else if (next !== byteOf.bang) this.#readStartTag()
      else if (page[this.#at + 2] === byteOf.hyphen) this.#readComment()
      else this.#readDoctype()
    }
    if (!this.#hasRoot || this.#open.length > 0) throw unusual
  }

  #ahead(): string {
    return this.#page.toString('latin1', this.#at, this.#at + declarationRoom)
  }

  #afterSpaces(from: number): number {
    let at = from
    while (isSpace(this.#page[at])) at += 1
    return at
  }

  #readDoctype(): void {
    const found = doctypeDeclaration.exec(this.#ahead())
    const text = found?.[1] ?? ''
    const hasOpenQuote = text.split('"').length % 2 === 0
    if (!found || hasOpenQuote || this.#hasDoctype || this.#hasRoot) throw unusual
    this.#hasDoctype = true
    this.#events.doctype(text)
    this.#at += found[0].length
  }

  #readComment(): void {
    const page = this.#page
    const begins = this.#at + 4
    const ends = page.indexOf('--', begins)
    if (page[begins - 1] !== byteOf.hyphen || ends < 0 || page[ends + 2] !== byteOf.more) throw unusual
    for (let at = begins; at < ends; at += 1)
      if (textBytes[page[at] as number] === textKinds.wrong) throw unusual
    this.#at = ends + 3
  }

  /** Reads a text to where a tag or the page ends. */
  #readText(): void {
    const page = this.#page
    let at = this.#at
    let words = 0
    let isWithin = false
    while (at < page.length) {
      const byte = page[at] as number
      let kind = textBytes[byte] as number
      if (kind < textKinds.marks) at += 1
      else if (kind === textKinds.wide) {
        kind = wordKind(codeUnitAt(page, at))
        at += byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      } else if (byte === byteOf.less) break
      else if (byte === byteOf.ampersand) {
        const { character, end } = referenceAt(page, at) ?? leave()
        kind = wordKind(character.charCodeAt(0))
        at = end
      } else if (
        byte === byteOf.rightBracket &&
        !(page[at + 1] === byteOf.rightBracket && page[at + 2] === byteOf.more)
      ) {
        kind = wordKinds.other
        at += 1
      } else throw unusual
      if (kind === wordKinds.other) isWithin = false
      else if (kind === wordKinds.part && !isWithin) {
        words += 1
        isWithin = true
      }
    }
    if (this.#events.text && at > this.#at)
      this.#events.text(readTextContent(page.toString('utf8', this.#at, at)))
    this.#at = at
    if (words > 0) this.#events.words?.(words)
  }

  #readStartTag(): void {
    const page = this.#page
    if (this.#hasRoot && this.#open.length === 0) throw unusual
    this.#hasRoot = true
    this.#tagBegins = this.#at
    this.attributeCount = 0
    const name = this.#readName(this.#at + 1)
    for (;;) {
      const at = this.#afterSpaces(this.#at)
      if (page[at] === byteOf.more || page[at] === byteOf.slash) {
        this.#at = at
        break
      }
      if (at === this.#at) throw unusual
      this.#readAttribute(at)
    }
    const isEmpty = page[this.#at] === byteOf.slash
    if (isEmpty && page[this.#at + 1] !== byteOf.more) throw unusual
    this.#at += isEmpty ? 2 : 1
    this.#resolveNames(name)
    this.#events.opened(this)
    if (isEmpty) this.#close(name)
    else {
      this.#open.push(name)
      if (name.local === 'style') this.#readStyle()
    }
  }

  #readStyle(): void {
    const page = this.#page
    const begins = this.#at
    this.#readText()
    const css = page.toString('utf8', begins, this.#at)
    if (page[this.#at + 1] !== byteOf.slash || /[&\r]/.test(css)) throw unusual
    this.#style = { css, begins: this.#positions.positionOf(begins), isPlain: true }
  }

  #readEndTag(): void {
    const page = this.#page
    const name = this.#open.pop()
    if (name === undefined) throw unusual
    const begins = this.#at + 2
    const ends = begins + name.bytes.length
    if (!isAt(page, begins, ends, name)) throw unusual
    const at = this.#afterSpaces(ends)
    if (page[at] !== byteOf.more) throw unusual
    this.#at = at + 1
    this.#close(name)
  }

  #close({ local }: KnownName): void {
    this.#events.closed(local)
    if (this.#style) this.#events.style?.(this.#style)
    this.#style = undefined
    this.#namespaces.close(this.#open.length)
  }

  /** Reads the name at a place, which has to be one, to its end. */
  #readName(begins: number): KnownName {
    const page = this.#page
    if (nameBytes[page[begins] ?? 0] !== nameKinds.start) throw unusual
    let at = begins
    let hash = 0
    for (let byte = page[at] as number; nameBytes[byte] !== 0; byte = page[at] as number) {
      // As small as V8 keeps integers without an object.
      hash = (Math.imul(hash, 31) + byte) & 0x3fffffff
      at += 1
      if (at >= page.length) throw unusual
    }
    const name = nameAt(page, begins, at, hash)
    if (name === undefined) throw unusual
    this.#at = at
    return name
  }

  #readAttribute(begins: number): void {
    const page = this.#page
    const name = this.#readName(begins)
    const at = this.#afterSpaces(this.#at)
    if (page[at] !== byteOf.equals) throw unusual
    const start = this.#afterSpaces(at + 1) + 1
    const quote = page[start - 1]
    if (quote !== byteOf.quotationMark && quote !== byteOf.apostrophe) throw unusual
    let isPlain = true
    let end = start
    for (; page[end] !== quote; end += 1) {
      if (end >= page.length) throw unusual
      const byte = page[end] as number
      const kind = textBytes[byte] as number
      if (kind < textKinds.marks && byte >= 0x20) continue
      if (kind === textKinds.wrong || byte === byteOf.less) throw unusual
      if (byte === byteOf.ampersand && !referenceAt(page, end)) throw unusual
      if (byte !== byteOf.rightBracket) isPlain = false
    }
    this.#addAttribute(name, start, end, isPlain)
    this.#at = end + 1
  }

  #addAttribute(name: KnownName, start: number, end: number, isPlain: boolean): void {
    const attributes = this.#attributes
    const index = this.attributeCount
    if (index === attributeLimit) throw unusual
    for (let before = 0; before < index; before += 1) {
      const other = (attributes[before] as Attribute).name
      // Two prefixes may be of the same namespace.
      if (other.local === name.local && (other.name === name.name || (other.prefix && name.prefix)))
        throw unusual
    }
    const attribute = attributes[index]
    if (attribute === undefined) attributes.push({ name, start, end, isPlain })
    else {
      attribute.name = name
      attribute.start = start
      attribute.end = end
      attribute.isPlain = isPlain
    }
    this.attributeCount = index + 1
    if (name.name === 'xmlns') this.#declare('', this.attributeValue(index).trim())
    else if (name.prefix === 'xmlns') this.#declare(name.local, this.attributeValue(index).trim())
  }

  #declare(prefix: string, uri: string): void {
    if (!this.#namespaces.declare(prefix, uri, this.#open.length)) throw unusual
  }

  /** Gives the tag its name and namespace; all prefixes in it have to be declared. */
  #resolveNames({ prefix, local }: KnownName): void {
    this.local = local
    this.uri = this.#namespaces.uriOf(prefix) ?? ''
    if (prefix !== '' && this.uri === '') throw unusual
    for (let index = 0; index < this.attributeCount; index += 1) {
      const own = this.attributeName(index).prefix
      if (own !== '' && own !== 'xml' && own !== 'xmlns' && this.#namespaces.uriOf(own) === undefined)
        throw unusual
    }
  }

  attributeName(index: number): MarkupName {
    return (this.#attributes[index] as Attribute).name
  }

  attributeValue(index: number): string {
    const { start, end, isPlain } = this.#attributes[index] as Attribute
    if (isPlain) return this.#page.toString('latin1', start, end)
    return readValue(this.#page.toString('utf8', start, end))
  }

  get(name: string): string | undefined {
    for (let index = 0; index < this.attributeCount; index += 1) {
      if (this.attributeName(index).name === name) return this.attributeValue(index)
    }
    return undefined
  }

  get at(): Position {
    return this.#positions.positionOf(this.#tagBegins)
  }
}
