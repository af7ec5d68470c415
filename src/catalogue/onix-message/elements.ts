import type { OnixElement } from '../onix/element.ts'

/** An element with a text; none where there is no text. */
export const leaf = (
  name: string,
  text: string | number | undefined,
  attributes: Readonly<Record<string, string>> = {},
): OnixElement[] => (text === undefined || text === '' ? [] : [{ name, attributes, content: [`${text}`] }])

/** A composite with its elements in the order of the schema; none where nothing is in it. */
export const composite = (name: string, ...content: readonly (readonly OnixElement[])[]): OnixElement[] => {
  const within = content.flat()
  return within.length === 0 ? [] : [{ name, attributes: {}, content: within }]
}

/** An element that says something by being there. */
export const mark = (name: string): OnixElement[] => [{ name, attributes: {}, content: [] }]
