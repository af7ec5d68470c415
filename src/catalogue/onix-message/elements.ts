import type { OnixElement } from '../onix/element.ts'

/** Shared by all elements without any, since there are many. */
const none: OnixElement['attributes'] = {}

/** An element with a text; none where there is no text. */
export const leaf = (
  name: string,
  text: string | number | undefined,
  attributes: OnixElement['attributes'] = none,
): OnixElement[] => (text === undefined || text === '' ? [] : [{ name, attributes, content: [`${text}`] }])

/** A composite with its elements in the order of the schema; none where nothing is in it. */
export function composite(name: string, ...parts: readonly (readonly OnixElement[])[]): OnixElement[] {
  const content: OnixElement[] = []
  for (const part of parts) for (const element of part) content.push(element)
  return content.length === 0 ? [] : [{ name, attributes: none, content }]
}

/** An element that says something by being there. */
export const mark = (name: string): OnixElement[] => [{ name, attributes: none, content: [] }]
