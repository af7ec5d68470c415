import { SaxesParser } from 'saxes'
import { quotedText } from '../book.ts'
import { decodeText } from '../decode.ts'
import type { ProblemCode } from '../hints.ts'
import type { ExactPosition, Position } from '../position.ts'
import { tagPosition } from '../xml.ts'
import { styleFaults } from './check-style.ts'
import { htmlElements, notWithinThemselves, unshown } from './html-elements.ts'
import type { PageListener } from './page-facts.ts'
import { hrefsIn, type Reference, referenceKind } from './reference.ts'
import { urlsIn } from './scan-style.ts'
import { clockValue } from './vocabulary.ts'

/** What a content document needs, by the names of the manifest's properties; `svg-image` is a drawing in a file of its own. */
type Use = 'mathml' | 'scripted' | 'svg' | 'svg-image' | 'switch' | 'remote-resources'

/** What was found in a content document. */
export interface ScannedDocument {
  error?: { message: string; line: number; column: number }
  references: Reference[]
  /** Where each id stands: the number of its element, from 0. */
  ids: Map<string, number>
  /** The ids of elements that nobody can go to. */
  unshownIds: Set<string>
  /** What is wrong with its markup, besides that it is not well-formed. */
  faults: DocumentFault[]
  uses: Set<Use>
  /** Whether its references start from another address than its own, within the page. */
  hasBase: boolean
  /** The address that all its references start from, as it is written. */
  base?: string | undefined
  /** What stands after `<!DOCTYPE`, to a limit. */
  doctype?: string
  /** How large the page is, as its first `meta` says. */
  viewport?: Position & { content: string }
  /** Whether a drawing in a file of its own has a view box. */
  isSized?: boolean
  /** What its parts are (`epub:type`), to a limit. */
  semantics: Set<string>
  /** Whether a `nav` does not say what it is. */
  hasUntypedNav: boolean
  /** Whether it has a style of its own or of a file. */
  hasStyle: boolean
  /** Whether there is more in it than is read. */
  isCut: boolean
}

interface DocumentFault extends Position {
  code: ProblemCode
  message: string
}

/** What was found in a document in which nothing is. */
export const nothingFound = (): ScannedDocument => ({
  references: [],
  ids: new Map(),
  unshownIds: new Set(),
  semantics: new Set(),
  hasUntypedNav: false,
  faults: [],
  uses: new Set(),
  hasBase: false,
  hasStyle: false,
  isCut: false,
})

// Far above what a chapter has, and low enough to stop one that is made to fill the memory.
const limits = { depth: 1000, references: 100_000, ids: 100_000, faults: 50, doctype: 10_000, semantics: 500 }

class Stop extends Error {}

/**
 * Reads a content document for what a preflight needs, without keeping it. Reading ends where it is not well-formed, at
 * the first error, as a reading system's does. A `listener` is told of every element and text.
 */
export function scanDocument(bytes: Uint8Array, listener?: PageListener): ScannedDocument {
  const { text } = decodeText(bytes)
  // Undeclared prefixes are an error to reading systems as well.
  const parser = new SaxesParser({ position: true, xmlns: true })
  const found = nothingFound()
  let at: Position = { line: 1 }
  const fault = (code: ProblemCode, message: string, where = at): void => {
    if (found.faults.length < limits.faults) found.faults.push({ code, message, ...where })
  }
  let declaresEntities = false
  const open = new Map<string, number>()
  let choice: Reference['choice']
  let choiceDepth = 0
  let count = 0
  let depth = 0
  const addReference = (
    href: string,
    where: Position,
    kind: Reference['kind'],
    element: string,
    isTyped = false,
  ): void => void found.references.push({ href, ...where, kind, element, choice, isTyped })
  parser.on('doctype', doctype => {
    found.doctype = doctype.slice(0, 1000)
    // Its entities are in a file that is not fetched.
    declaresEntities = doctype.length > limits.doctype || /\b(?:PUBLIC|SYSTEM)\b/.test(doctype)
    if (declaresEntities) return
    for (const [, name = ''] of doctype.matchAll(/<!ENTITY\s{1,20}([^\s%"']{1,100})\s/g))
      parser.ENTITIES[name] = ''
  })
  parser.on('processinginstruction', ({ target, body }) => {
    if (target !== 'xml-stylesheet') return
    const href = /\shref\s{0,20}=\s{0,20}["']([^"']{1,2000})["']/.exec(` ${body.slice(0, 5000)}`)?.[1]
    found.hasStyle = true
    if (href !== undefined) addReference(href, { line: parser.line }, 'resource', 'link')
  })
  parser.on('error', ({ message }) => {
    if (declaresEntities && /undefined entity/.test(message)) return
    found.error = {
      message: message.replace(/^[\d:]+ /, '').replace(/\.$/, ''),
      line: parser.line,
      column: Math.max(1, parser.columnIndex),
    }
    throw new Stop()
  })
  parser.on('opentagstart', ({ name }) => {
    at = tagPosition(parser, name, text)
  })
  let style: { css: string; begins: ExactPosition; position: number } | undefined
  const addId = (id: string, element: string): void => {
    if (id === '') return
    if (found.ids.has(id)) fault('id_doubled', `The id ${quotedText(id)} occurs twice.`)
    else found.ids.set(id, count)
    if (unshown.has(element)) found.unshownIds.add(id)
  }
  parser.on('opentag', tag => {
    const { local, attributes, uri } = tag
    listener?.opened(tag, at)
    count += 1
    depth += 1
    if (depth > limits.depth || found.ids.size > limits.ids || found.references.length > limits.references) {
      found.isCut = true
      throw new Stop()
    }
    const values = Object.values(attributes)
    const attributeNamed = (name: string) =>
      values.find(one => one.local === name && one.prefix === '')?.value
    const isHtml = uri === htmlNamespace
    if (isHtml && !htmlElements.has(local) && !local.includes('-')) {
      fault('element_unknown', `HTML has no element ${quotedText(local)}.`)
    }
    if (isHtml && notWithinThemselves.has(local)) {
      const within = open.get(local) ?? 0
      if (within > 0) fault('element_nested', `The element ${quotedText(local)} stands within another one.`)
      open.set(local, within + 1)
    }
    if (choice === undefined && choices.includes(local)) {
      choice = { name: local, number: count }
      choiceDepth = depth
    }
    if (count === 1 && local === 'svg') found.isSized = attributeNamed('viewBox') !== undefined
    if (local === 'meta' && attributeNamed('name')?.trim() === 'viewport') {
      found.viewport ??= { content: attributeNamed('content') ?? '', ...at }
    }
    if (local === 'base') found.base ??= attributeNamed('href')
    const semantics = attributes['epub:type']?.value
    if (semantics !== undefined && found.semantics.size < limits.semantics) {
      for (const word of semantics.slice(0, 200).split(/\s+/)) found.semantics.add(word)
    } else if (local === 'nav') found.hasUntypedNav = true
    const language = attributes['lang']?.value.toLowerCase()
    if (language !== undefined && language !== (attributes['xml:lang']?.value.toLowerCase() ?? language)) {
      fault('language_conflict', 'The attributes lang and xml:lang name different languages.')
    }
    const isDataScript = local === 'script' && isData(attributeNamed('type'))
    if (local === 'style') {
      style = {
        css: '',
        begins: { line: parser.line, column: parser.columnIndex + 1 },
        position: parser.position,
      }
      found.hasStyle = true
    }
    const use = isDataScript ? undefined : usesByElement[local]
    if (use !== undefined && (use !== 'switch' || uri === opsNamespace)) found.uses.add(use)
    for (const { name, local: attribute, prefix, value } of values) {
      if (attribute === 'id') addId(value.trim(), local)
      else if (local === 'audio' && /^clip(?:Begin|End)$/.test(attribute)) {
        if (clockValue.test(value.trim())) continue
        fault('overlay_wrong', `${quotedText(value)} is no time such as 0:01:30.5 or 90.5s.`)
      } else if (attribute === 'name' && local === 'a' && !found.ids.has(value)) found.ids.set(value, count)
      else if (name === 'xml:base') {
        if (count === 1) found.base ??= value
        else found.hasBase = true
      } else if (prefix === '' && /^on[a-z]/.test(attribute)) found.uses.add('scripted')
      else {
        if (prefix === '' && attribute === 'style') {
          for (const { href } of urlsIn(value).urls) addReference(href, at, 'resource', 'style')
        }
        for (const href of hrefsIn(local, prefix, attribute, value)) {
          const kind = referenceKind(local, attribute, attributeNamed('rel'))
          if (!kind) continue
          if (local === 'link') found.hasStyle = true
          addReference(href, at, kind, local, attributeNamed('type') !== undefined)
        }
      }
    }
  })
  const read = (text: string): void => {
    if (style) style.css += text
    listener?.text(text, { line: parser.line })
  }
  parser.on('text', read)
  parser.on('cdata', read)
  parser.on('closetag', ({ local }) => {
    listener?.closed(local)
    if (depth === choiceDepth) {
      choice = undefined
      choiceDepth = 0
    }
    depth -= 1
    const within = open.get(local)
    if (within) open.set(local, within - 1)
    if (local !== 'style' || style === undefined) return
    const { css } = style
    const inPage = placesInPage(text, style)
    const { urls, isCut } = urlsIn(css)
    found.isCut ||= isCut
    for (const { href, ...where } of urls) addReference(href, inPage(where), 'resource', 'style')
    for (const { code, message, ...where } of styleFaults(css)) fault(code, message, inPage(where))
    style = undefined
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
  }
  return found
}

/**
 * Turns places in a style into those in the text of its page. Columns are known only where the style is written as it is read,
 * without references to characters and sections of plain text.
 */
function placesInPage(
  text: string,
  { css, begins, position }: { css: string; begins: ExactPosition; position: number },
): (where: Position) => Position {
  const written = text.slice(position, position + 2 * css.length)
  const isPlain = written.replace(/\r\n?/g, '\n').startsWith(css)
  return ({ line, column = 1 }) => ({
    line: begins.line + line - 1,
    ...(isPlain && { column: line === 1 ? begins.column + column - 1 : column }),
  })
}

const usesByElement: Readonly<Record<string, Use>> = {
  math: 'mathml',
  script: 'scripted',
  form: 'scripted',
  svg: 'svg',
  switch: 'switch',
}

const choices = ['audio', 'video', 'picture']

const htmlNamespace = 'http://www.w3.org/1999/xhtml'
const opsNamespace = 'http://www.idpf.org/2007/ops'

/** Whether a script's type says that it is no program. */
const isData = (type: string | undefined): boolean =>
  type !== undefined && type.trim() !== '' && !/javascript|ecmascript|jscript|livescript|^module$/i.test(type)
