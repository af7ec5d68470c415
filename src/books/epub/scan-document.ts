import { SaxesParser } from 'saxes'
import { decodeText } from '../decode.ts'
import { urlsIn } from './scan-style.ts'

/** A reference of a document, as it is written. */
export interface Reference {
  href: string
  line: number
  /** What is done with its target: it is shown as a part of the page, or a reader can go there. */
  kind: 'resource' | 'link' | 'citation'
}

/** What a content document needs, by the names of the manifest's properties; `svg-image` is a drawing in a file of its own. */
type Use = 'mathml' | 'scripted' | 'svg' | 'svg-image' | 'switch' | 'remote-resources'

/** What was found in a content document. */
export interface ScannedDocument {
  error?: { message: string; line: number }
  references: Reference[]
  /** Where each id stands: the number of its element, from 0. */
  ids: Map<string, number>
  uses: Set<Use>
  /** Whether its references start from another address than its own. */
  hasBase: boolean
  /** Whether there is more in it than is read. */
  isCut: boolean
}

// Far above what a chapter has, and low enough to stop one that is made to fill the memory.
const limits = { depth: 1000, references: 100_000, ids: 100_000 }

class Stop extends Error {}

/**
 * Reads a content document for what a preflight needs, without keeping it. Reading ends where it is not well-formed, at
 * the first error, as a reading system's does.
 */
export function scanDocument(bytes: Uint8Array): ScannedDocument {
  const { text } = decodeText(bytes)
  // Undeclared prefixes are an error to reading systems as well.
  const parser = new SaxesParser({ position: true, xmlns: true })
  const found: ScannedDocument = {
    references: [],
    ids: new Map(),
    uses: new Set(),
    hasBase: false,
    isCut: false,
  }
  let declaresEntities = false
  let line = 1
  let count = 0
  let depth = 0
  parser.on('doctype', doctype => {
    // Its entities are in a file that is not fetched.
    declaresEntities = /\b(?:PUBLIC|SYSTEM)\b|<!ENTITY/.test(doctype.slice(0, 10_000))
  })
  parser.on('error', ({ message }) => {
    if (declaresEntities && /undefined entity/.test(message)) return
    found.error = { message: message.replace(/^[\d:]+ /, '').replace(/\.$/, ''), line: parser.line }
    throw new Stop()
  })
  parser.on('opentagstart', () => {
    line = parser.line
  })
  let style: { css: string; line: number } | undefined
  parser.on('opentag', ({ local, attributes, uri }) => {
    count += 1
    depth += 1
    if (depth > limits.depth || found.ids.size > limits.ids || found.references.length > limits.references) {
      found.isCut = true
      throw new Stop()
    }
    const values = Object.values(attributes)
    const attributeNamed = (name: string) =>
      values.find(one => one.local === name && one.prefix === '')?.value
    if (local === 'base') found.hasBase = true
    const isDataScript = local === 'script' && isData(attributeNamed('type'))
    if (local === 'style') style = { css: '', line: parser.line }
    const use = isDataScript ? undefined : usesByElement[local]
    if (use !== undefined && (use !== 'switch' || uri === opsNamespace)) found.uses.add(use)
    for (const { name, local: attribute, prefix, value } of values) {
      if (attribute === 'id') found.ids.set(value.trim(), count)
      else if (name === 'xml:base') found.hasBase = true
      else if (prefix === '' && /^on[a-z]/.test(attribute)) found.uses.add('scripted')
      else {
        if (prefix === '' && attribute === 'style') {
          for (const { href } of urlsIn(value).urls) found.references.push({ href, line, kind: 'resource' })
        }
        for (const href of hrefsIn(local, prefix, attribute, value)) {
          const kind = kindOf(local, attribute, attributeNamed('rel'))
          if (kind) found.references.push({ href, line, kind })
        }
      }
    }
  })
  parser.on('text', text => {
    if (style) style.css += text
  })
  parser.on('cdata', text => {
    if (style) style.css += text
  })
  parser.on('closetag', ({ local }) => {
    depth -= 1
    if (local !== 'style' || style === undefined) return
    const { urls, isCut } = urlsIn(style.css)
    found.isCut ||= isCut
    for (const { href, line } of urls) {
      found.references.push({ href, line: style.line + line - 1, kind: 'resource' })
    }
    style = undefined
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
  }
  return found
}

const usesByElement: Readonly<Record<string, Use>> = {
  math: 'mathml',
  script: 'scripted',
  form: 'scripted',
  svg: 'svg',
  switch: 'switch',
}

const opsNamespace = 'http://www.idpf.org/2007/ops'

/** Whether a script's type says that it is no program. */
const isData = (type: string | undefined): boolean =>
  type !== undefined && type.trim() !== '' && !/javascript|ecmascript|jscript|livescript|^module$/i.test(type)

function hrefsIn(element: string, prefix: string, attribute: string, value: string): string[] {
  if (attribute === 'srcset' && prefix === '') {
    return candidatesIn(value)
  }
  const isReference =
    attribute === 'href'
      ? element !== 'base'
      : prefix === '' &&
        (['src', 'poster', 'altimg', 'cite'].includes(attribute) ||
          (attribute === 'data' && element === 'object'))
  return isReference && value.trim() !== '' ? [value.trim()] : []
}

/** The addresses of a `srcset`. One may have commas within it, but not at its end. */
function candidatesIn(srcset: string): string[] {
  const found: string[] = []
  const address = /[^\s,]\S*/g
  for (let match = address.exec(srcset); match !== null; match = address.exec(srcset)) {
    let [href] = match
    let isLast = href.endsWith(',')
    // Some write a space between the type of data and the data.
    if (isLast && /^data:/i.test(href)) isLast = address.exec(srcset)?.[0].endsWith(',') === true
    while (href.endsWith(',')) href = href.slice(0, -1)
    found.push(href)
    // Its width or density stands between it and the comma.
    const comma = isLast ? address.lastIndex - 1 : srcset.indexOf(',', address.lastIndex)
    if (comma < 0) break
    address.lastIndex = comma
  }
  return found
}

function kindOf(element: string, attribute: string, rel: string | undefined): Reference['kind'] | undefined {
  if (attribute === 'cite') return 'citation'
  if (element === 'a' || element === 'area') return 'link'
  if (element === 'link') return /\bstylesheet\b/i.test(rel ?? '') ? 'resource' : undefined
  return 'resource'
}
