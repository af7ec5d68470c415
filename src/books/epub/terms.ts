import { attributeOf, textOf, type XmlElement } from '../xml.ts'
import { reservedPrefixes } from './vocabulary.ts'

/** The most values of one property that are read: more than all terms of any vocabulary. */
export const valueLimit = 500

/** The addresses of the terms that a `meta` or a `link` gives a value for. */
export function termsOf(element: XmlElement, prefixes: ReadonlyMap<string, string>): string[] {
  const names =
    element.name === 'link'
      ? (attributeOf(element, 'rel') ?? '').split(' ')
      : [attributeOf(element, 'property') ?? attributeOf(element, 'name') ?? '']
  return names.slice(0, valueLimit).flatMap(name => {
    const colon = name.indexOf(':')
    const prefix = prefixes.get(name.slice(0, colon))
    return colon < 0 || prefix === undefined ? [] : prefix + name.slice(colon + 1)
  })
}

/** What a `meta` of either version says, or where a `link` leads. */
export const textIn = (element: XmlElement): string =>
  (element.name === 'link'
    ? attributeOf(element, 'href')
    : textOf(element) || attributeOf(element, 'content')) ?? ''

/**
 * The reserved prefixes, and those that the package document declares in their place or besides: `a: http://… b: http://…`.
 * `more` need no declaration either.
 */
export function prefixesOf(
  element: XmlElement,
  more: Readonly<Record<string, string>> = {},
): Map<string, string> {
  const prefixes = new Map<string, string>(Object.entries({ ...reservedPrefixes, ...more }))
  const words = (attributeOf(element, 'prefix') ?? '').split(' ')
  for (const [index, word] of words.entries()) {
    const address = words[index + 1]
    if (word.endsWith(':') && address !== undefined) prefixes.set(word.slice(0, -1), address)
  }
  return prefixes
}
