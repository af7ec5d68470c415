import { neutralise } from '../../cli/output/neutralise.ts'
import type { OnixElement } from '../onix/element.ts'
import { hasXhtml } from './block-names.ts'

/** Whether XML can have all characters of a text: most control characters and halves of pairs it cannot. */
export const isXmlText = (text: string): boolean => !forbidden.test(text)
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u

/** A text in one line, as elements of ONIX without XHTML have it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xd;',
}

const escaped = (text: string): string =>
  asReferences(
    /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, character => escapes[character] as string) : text,
  )

/** Characters that a terminal obeys, or that reorder text, become references, which mean the same. */
function asReferences(text: string): string {
  if (neutralise(text) === text) return text
  return [...text]
    .map(character =>
      character === '\t' || neutralise(character) === character
        ? character
        : `&#x${(character.codePointAt(0) as number).toString(16)};`,
    )
    .join('')
}

const escapedAttribute = (text: string): string =>
  escaped(text).replace(/["\t\n]/g, character => escapes[character] ?? `&#${character.charCodeAt(0)};`)

/** The XML of an element in lines, with what is in a text as it is. `margin` is the blank before each line. */
export function xmlOf({ name, attributes, content }: OnixElement, margin: string): string {
  const start = tagOf(name, attributes)
  if (content.length === 0) return `${margin}<${start}/>\n`
  if (content.every(child => typeof child !== 'string') && !isFlow(name)) {
    const lines = content.map(child => xmlOf(child as OnixElement, `${margin}  `)).join('')
    return `${margin}<${start}>\n${lines}${margin}</${name}>\n`
  }
  return `${margin}<${start}>${content.map(inlineOf).join('')}</${name}>\n`
}

/** The blanks within these mean something, as they may have XHTML. */
const isFlow = (name: string): boolean => name === 'Text' || hasXhtml(name)

const inlineOf = (child: OnixElement | string): string => {
  if (typeof child === 'string') return escaped(child)
  const start = tagOf(child.name, child.attributes)
  return child.content.length === 0
    ? `<${start}/>`
    : `<${start}>${child.content.map(inlineOf).join('')}</${child.name}>`
}

const tagOf = (name: string, attributes: OnixElement['attributes']): string =>
  Object.entries(attributes).reduce(
    (tag, [each, value]) => `${tag} ${each}="${escapedAttribute(value)}"`,
    name,
  )
