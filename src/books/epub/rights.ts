import { tdmNamespaces } from '../rights/tdm-namespaces.ts'
import { noRightsFacts, type RightsFacts, rightsLimit } from '../rights-facts.ts'
import { attributeOf } from '../xml.ts'
import { readNarrators } from './metadata.ts'
import type { Package } from './package.ts'
import { termPrefixes, termsOf, textIn } from './terms.ts'

const properties: Readonly<Record<string, 'reservations' | 'policies' | 'digitalSources'>> = {
  ...Object.fromEntries(
    tdmNamespaces.flatMap(address => [
      [`${address}reservation`, 'reservations'],
      [`${address}policy`, 'policies'],
    ]),
  ),
  'http://schema.org/digitalSourceType': 'digitalSources',
  'https://schema.org/digitalSourceType': 'digitalSources',
}

/**
 * What a package document says of text and data mining (https://www.w3.org/2022/tdmrep/) and of who made it: `meta` with a
 * `property`, as EPUB 3 has it, and `meta` with a `name` and a `content`, as EPUB 2 has it. EPUB 2 has no way to declare the
 * prefix, and many books of EPUB 3 do not.
 */
export function readEpubRights(from: Package): RightsFacts {
  const found = noRightsFacts()
  const prefixes = termPrefixes(from, { tdm: tdmNamespaces[0] })
  for (const each of from.metadata) {
    if (each.name !== 'meta' && each.name !== 'link') continue
    // What refines an item is about a part of the book, of which the protocol says nothing.
    if (attributeOf(each, 'refines') !== undefined) continue
    const value = textIn(each)
    for (const term of termsOf(each, prefixes)) {
      const kind = Object.hasOwn(properties, term) ? properties[term] : undefined
      if (kind === undefined || found[kind].length >= rightsLimit) continue
      found[kind].push({ value, place: `${from.path}:${each.position.line}` })
    }
  }
  found.narrators = readNarrators(from).slice(0, rightsLimit)
  return found
}
