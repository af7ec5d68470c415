import { attributeOf, textOf, type XmlElement } from '../xml.ts'
import type { Package } from './package.ts'
import { prefixesOf } from './property-names.ts'
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
 * What prefixes stand for: those that the package document declares, and the reserved ones. `more` need no declaration either.
 */
export const termPrefixes = (
  from: Package,
  more: Readonly<Record<string, string>> = {},
): Map<string, string> => new Map([...Object.entries({ ...reservedPrefixes, ...more }), ...prefixesOf(from)])
