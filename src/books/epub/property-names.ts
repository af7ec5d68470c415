import { quotedText } from '../book.ts'
import { attributeOf } from '../xml.ts'
import type { Package } from './package.ts'
import { closedPrefixes, reservedPrefixes } from './vocabulary.ts'

/** The prefixes that the package document declares, with what each stands for. */
export function prefixesOf({ element }: Package): Map<string, string> {
  const words = (attributeOf(element, 'prefix') ?? '').split(' ')
  const found = new Map<string, string>()
  for (const [index, word] of words.entries()) {
    const address = words[index + 1]
    if (word.endsWith(':') && address !== undefined && !found.has(word)) found.set(word.slice(0, -1), address)
  }
  return found
}

/** What is wrong with the name of a property, as a problem's code and what follows the name; undefined for a sound one. */
export function nameFault(
  name: string,
  known: (name: string) => boolean,
  prefixes: ReadonlyMap<string, string>,
): { code: 'property_unknown' | 'prefix_undeclared'; message: string } | undefined {
  const said = quotedText(name)
  const unknown = { code: 'property_unknown', message: `The property ${said} is not known.` } as const
  const colon = name.indexOf(':')
  if (colon < 0) return known(name) ? undefined : unknown
  const prefix = name.slice(0, colon)
  if (prefix === '' || colon === name.length - 1) return unknown
  if (prefixes.has(prefix)) return undefined
  if (!Object.hasOwn(reservedPrefixes, prefix)) {
    return { code: 'prefix_undeclared', message: `The prefix of the property ${said} is not declared.` }
  }
  return closedPrefixes.includes(prefix) && !known(name) ? unknown : undefined
}
