import { neutralise } from '../../cli/output/neutralise.ts'
import type { OnixElement } from '../onix/element.ts'
import { hasXhtml } from './block-names.ts'

/** Whether XML can have all characters of a text: most control characters and halves of pairs it cannot. */
export const isXmlText = (text: string): boolean => !suspicious.test(text) || !forbidden.test(text)
/** A faster test, since text hardly ever has such a character. */
const suspicious = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u

/** A text in one line, as elements of ONIX without XHTML have it. */
export const oneLine = (text: string): string =>
  / {2}|[^\S ]|^ | $/.test(text) ? text.replace(/\s+/g, ' ').trim() : text

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xd;',
}

const escaped = (text: string): string =>
  isPlain(text) ? text : asReferences(text.replace(/[&<>\r]/g, character => escapes[character] as string))

/** One fast test, since texts are mostly of these characters: letters, digits, blanks and signs that need no escape. */
const isPlain = (text: string): boolean =>
  !/[^ -%\x27-;=?-~\xa1-\u05ff\u0900-\u1fff\u2010-\u2027\u3000-\ud7ff]/.test(text)

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
export function xmlOf(element: OnixElement, margin: string): string {
  const { name, content } = element
  const [first] = content
  const [open, close] = hasAttributes(element)
    ? [`${margin}<${tagOf(element)}>`, `</${name}>\n`]
    : linesOf(margin, name)
  if (content.length === 1 && typeof first === 'string') return open + escaped(first) + close
  if (!isBlock(element)) return `${margin}${inlineOf(element)}\n`
  const within = `${margin}  `
  let lines = `${open}\n`
  for (const child of content) lines += xmlOf(child as OnixElement, within)
  return lines + margin + close
}

const hasAttributes = ({ attributes }: OnixElement): boolean => {
  for (const _ in attributes) return true
  return false
}

type Lines = readonly [open: string, close: string]

/** What a line of an element begins and ends with, made once, since few names make up all of a message. */
function linesOf(margin: string, name: string): Lines {
  const made = linesAt.get(margin)?.get(name)
  if (made !== undefined) return made
  const lines: Lines = [`${margin}<${name}>`, `</${name}>\n`]
  linesAt.set(margin, (linesAt.get(margin) ?? new Map<string, Lines>()).set(name, lines))
  return lines
}

const linesAt = new Map<string, Map<string, Lines>>()

const isBlock = ({ name, content }: OnixElement): boolean =>
  typeof content[0] === 'object' && !isFlow(name) && content.every(child => typeof child === 'object')

/** The blanks within these mean something, as they may have XHTML. */
const isFlow = (name: string): boolean => name === 'Text' || hasXhtml(name)

function inlineOf(child: OnixElement | string): string {
  if (typeof child === 'string') return escaped(child)
  if (child.content.length === 0) return `<${tagOf(child)}/>`
  let within = ''
  for (const each of child.content) within += inlineOf(each)
  return `<${tagOf(child)}>${within}</${child.name}>`
}

function tagOf({ name, attributes }: OnixElement): string {
  let tag = name
  for (const each in attributes) tag += ` ${each}="${escapedAttribute(attributes[each] as string)}"`
  return tag
}
