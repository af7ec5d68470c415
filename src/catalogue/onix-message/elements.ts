import type { OnixElement } from '../onix/element.ts'

/** Shared by all elements without any, since there are many. */
const none: OnixElement['attributes'] = {}

/** What may be within a composite: an element, several, or nothing. */
export type ElementPart = OnixElement | undefined | readonly ElementPart[]

/** An element with a text; nothing where there is no text. */
export const leaf = (
  name: string,
  text: string | number | undefined,
  attributes: OnixElement['attributes'] = none,
): OnixElement | undefined =>
  text === undefined || text === '' ? undefined : { name, attributes, content: [`${text}`] }

/** An element with others in the order of the schema, or one that says something by being there. */
export function element(name: string, ...parts: readonly ElementPart[]): OnixElement {
  const content: OnixElement[] = []
  add(content, parts)
  return { name, attributes: none, content }
}

/** An element with others; nothing where nothing is in it. */
export function composite(name: string, ...parts: readonly ElementPart[]): OnixElement | undefined {
  const made = element(name, ...parts)
  return made.content.length === 0 ? undefined : made
}

function add(content: OnixElement[], parts: readonly ElementPart[]): void {
  for (const part of parts) {
    if (part === undefined) continue
    if ('name' in part) content.push(part)
    else add(content, part)
  }
}
