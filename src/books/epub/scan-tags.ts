import { quotedText } from '../book.ts'
import type { ProblemCode } from '../hints.ts'
import type { ExactPosition, Position } from '../position.ts'
import { styleFaults } from './check-style.ts'
import { htmlElements, htmlNamespace, notWithinThemselves, unshown } from './html-elements.ts'
import { isUndescribed } from './page-facts.ts'
import { hrefsIn, type Reference, referenceKind } from './reference.ts'
import { urlsIn } from './scan-style.ts'
import { nothingFound, type Use } from './scanned-document.ts'
import type { MarkupEvents, StartTag, StyleText } from './start-tag.ts'
import { clockValue } from './vocabulary.ts'

// Far above what a chapter has, and low enough to stop one that is made to fill the memory.
const limits = { depth: 1000, references: 100_000, ids: 100_000, faults: 50, doctype: 1000, semantics: 500 }

/** More is in a document than is read of any. */
export class Enough extends Error {}

/**
 * Notes what is found in a document while its tags are read. It is a class, since V8 would optimise closures made anew for each
 * page again and again.
 */
export class TagScan implements MarkupEvents {
  readonly found = nothingFound()
  /** How often each element stands open of those that none of their own kind may be within. */
  readonly #open = new Map<string, number>()
  #choice: Reference['choice']
  #choiceDepth = 0
  #count = 0
  #depth = 0
  /** How many elements are open whose text is none of the page. */
  #unread = 0

  doctype(text: string): void {
    this.found.doctype = text.slice(0, limits.doctype)
  }

  /** Throws Enough where the limits are reached. */
  opened(tag: StartTag): void {
    const { found } = this
    const { local } = tag
    if (isUnread(local)) this.#unread += 1
    if (local === 'img') {
      found.images += 1
      if (isUndescribed(name => tag.get(name))) found.unnamedImages += 1
    }
    this.#count += 1
    this.#depth += 1
    const isFull = found.ids.size > limits.ids || found.references.length > limits.references
    if (isFull || this.#depth > limits.depth) {
      found.isCut = true
      throw new Enough()
    }
    this.#noteElement(tag)
    if (tag.attributeCount === 0) return
    this.#noteLanguage(tag)
    for (let index = 0; index < tag.attributeCount; index += 1) this.#noteAttribute(tag, index)
  }

  closed(local: string): void {
    if (isUnread(local)) this.#unread -= 1
    if (this.#depth === this.#choiceDepth) {
      this.#choice = undefined
      this.#choiceDepth = 0
    }
    this.#depth -= 1
    const within = this.#open.get(local)
    if (within) this.#open.set(local, within - 1)
  }

  words(count: number): void {
    if (this.#unread === 0) this.found.words += count
  }

  style({ css, begins, isPlain }: StyleText): void {
    const inPage = ({ line, column }: ExactPosition): Position => ({
      line: begins.line + line - 1,
      ...(isPlain && { column: line === 1 ? begins.column + column - 1 : column }),
    })
    const { urls, isCut } = urlsIn(css)
    this.found.isCut ||= isCut
    for (const { href, ...where } of urls) this.addReference(href, inPage(where), 'resource', 'style')
    for (const { code, message, ...where } of styleFaults(css)) this.fault(code, message, inPage(where))
  }

  addReference(
    href: string,
    where: Position,
    kind: Reference['kind'],
    element: string,
    isTyped = false,
  ): void {
    this.found.references.push({ href, ...where, kind, element, choice: this.#choice, isTyped })
  }

  fault(code: ProblemCode, message: string, where: Position): void {
    const { faults } = this.found
    if (faults.length < limits.faults) faults.push({ code, message, ...where })
  }

  /** Notes what an element is. */
  #noteElement(tag: StartTag): void {
    const { found } = this
    const { local, uri } = tag
    if (uri === htmlNamespace) this.#noteHtml(tag)
    if (this.#choice === undefined && choices.has(local)) {
      this.#choice = { name: local, number: this.#count }
      this.#choiceDepth = this.#depth
    }
    if (local === 'style') found.hasStyle = true
    if (this.#count === 1 && local === 'svg') found.isSized = tag.get('viewBox') !== undefined
    if (local === 'meta' && tag.get('name')?.trim() === 'viewport')
      found.viewport ??= { content: tag.get('content') ?? '', ...tag.at }
    if (local === 'base') found.base ??= tag.get('href')
    const semantics = tag.get('epub:type')
    if (semantics !== undefined && found.semantics.size < limits.semantics) {
      for (const word of semantics.slice(0, 200).split(/\s+/)) found.semantics.add(word)
    } else if (local === 'nav') found.hasUntypedNav = true
    const use = usesByElement.get(local)
    if (use === undefined || (local === 'script' && isData(tag.get('type')))) return
    if (use !== 'switch' || uri === opsNamespace) found.uses.add(use)
  }

  #noteHtml(tag: StartTag): void {
    const { local } = tag
    if (!htmlElements.has(local) && !local.includes('-'))
      this.fault('element_unknown', `HTML has no element ${quotedText(local)}.`, tag.at)
    if (!notWithinThemselves.has(local)) return
    const within = this.#open.get(local) ?? 0
    if (within > 0)
      this.fault('element_nested', `The element ${quotedText(local)} stands within another one.`, tag.at)
    this.#open.set(local, within + 1)
  }

  #noteLanguage(tag: StartTag): void {
    const language = tag.get('lang')?.toLowerCase()
    if (language === undefined || language === (tag.get('xml:lang')?.toLowerCase() ?? language)) return
    this.fault('language_conflict', 'The attributes lang and xml:lang name different languages.', tag.at)
  }

  #noteAttribute(tag: StartTag, index: number): void {
    const { found } = this
    const { local } = tag
    const { name, prefix, local: attribute } = tag.attributeName(index)
    const isEvent = prefix === '' && attribute.startsWith('on')
    if (!isEvent && !noted.has(attribute)) return
    const value = tag.attributeValue(index)
    if (attribute === 'id') this.#noteId(value.trim(), tag)
    else if (local === 'audio' && /^clip(?:Begin|End)$/.test(attribute)) {
      if (clockValue.test(value.trim())) return
      this.fault('overlay_wrong', `${quotedText(value)} is no time such as 0:01:30.5 or 90.5s.`, tag.at)
    } else if (attribute === 'name') {
      if (local === 'a' && !found.ids.has(value)) found.ids.set(value, this.#count)
    } else if (name === 'xml:base') {
      if (this.#count === 1) found.base ??= value
      else found.hasBase = true
    } else if (isEvent && /^on[a-z]/.test(attribute)) found.uses.add('scripted')
    else if (prefix === '' && attribute === 'style') {
      for (const { href } of urlsIn(value).urls) this.addReference(href, tag.at, 'resource', 'style')
    } else this.#noteReferences(tag, prefix, attribute, value)
  }

  #noteReferences(tag: StartTag, prefix: string, attribute: string, value: string): void {
    const { local } = tag
    for (const href of hrefsIn(local, prefix, attribute, value)) {
      const kind = referenceKind(local, attribute, tag.get('rel'))
      if (!kind) continue
      if (local === 'link') this.found.hasStyle = true
      this.addReference(href, tag.at, kind, local, tag.get('type') !== undefined)
    }
  }

  #noteId(id: string, tag: StartTag): void {
    if (id === '') return
    const { ids, unshownIds } = this.found
    if (ids.has(id)) this.fault('id_doubled', `The id ${quotedText(id)} occurs twice.`, tag.at)
    else ids.set(id, this.#count)
    if (unshown.has(tag.local)) unshownIds.add(id)
  }
}

/** Whether the text of an element is none of the page. */
const isUnread = (local: string): boolean => local === 'script' || local === 'style' || local === 'title'

/** The attributes that say something here, besides those of events; without a prefix. */
const noted: ReadonlySet<string> = new Set(
  'id name base style href src poster altimg cite data srcset textref clipBegin clipEnd'.split(' '),
)

const usesByElement: ReadonlyMap<string, Use> = new Map([
  ['math', 'mathml'],
  ['script', 'scripted'],
  ['form', 'scripted'],
  ['svg', 'svg'],
  ['switch', 'switch'],
])

const choices: ReadonlySet<string> = new Set(['audio', 'video', 'picture'])

const opsNamespace = 'http://www.idpf.org/2007/ops'

/** Whether a script's type says that it is no program. */
const isData = (type: string | undefined): boolean =>
  type !== undefined && type.trim() !== '' && !/javascript|ecmascript|jscript|livescript|^module$/i.test(type)
