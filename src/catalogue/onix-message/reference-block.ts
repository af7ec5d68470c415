import { BrokenRecord } from '../onix/broken.ts'
import type { OnixElement } from '../onix/element.ts'
import { blockName, hasXhtml } from './block-names.ts'
import { element, leaf } from './elements.ts'

/**
 * An element of block 1 as ONIX 3.1 has it by reference names: short tags get their names, and what 3.1 has no more becomes
 * what took its place. Throws BrokenRecord for an element that has none.
 */
export function inReference(element: OnixElement): OnixElement {
  const { name: tag, attributes, content } = element
  const name = blockName(tag)
  if (name === undefined)
    throw new BrokenRecord(`has the element ${tag.slice(0, 50)}, which ONIX 3.1 does not have there`)
  const own = withoutNames(attributes)
  if (hasXhtml(name)) return { name, attributes: own, content: content.map(inXhtml) }
  const within = content.filter(child => typeof child !== 'string')
  if (within.length === 0) return { name, attributes: own, content: [...content] }
  const format = within.find(child => formerFormat.includes(child.name))
  return {
    name,
    attributes: own,
    content: within
      .filter(child => child !== format)
      .flatMap(child => (formerAudience.includes(child.name) ? audienceOf(child) : [inReference(child)]))
      .map(child => (child.name === 'Date' ? withFormat(child, format) : child)),
  }
}

const inXhtml = (child: OnixElement | string): OnixElement | string =>
  typeof child === 'string'
    ? child
    : { ...child, attributes: withoutNames(child.attributes), content: child.content.map(inXhtml) }

/** The names and namespaces that a schema adds, and that are those of the message. */
const withoutNames = (attributes: OnixElement['attributes']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !/^(?:xmlns\b|refname$|shortname$)/.test(name)),
  )

/** In ONIX 3.0 by both of its names: the format of a date as an element, which is an attribute of Date in 3.1. */
const formerFormat: readonly string[] = ['DateFormat', 'j260']

function withFormat(date: OnixElement, format: OnixElement | undefined): OnixElement {
  const [code] = format?.content ?? []
  return typeof code !== 'string'
    ? date
    : { ...date, attributes: { dateformat: code.trim(), ...date.attributes } }
}

/** The same: a code of list 28 without its scheme, which is that of type 01 in an Audience. */
const formerAudience: readonly string[] = ['AudienceCode', 'b073']

const audienceOf = ({ content: [code] }: OnixElement): OnixElement[] =>
  typeof code === 'string'
    ? [element('Audience', leaf('AudienceCodeType', '01'), leaf('AudienceCodeValue', code.trim()))]
    : []
