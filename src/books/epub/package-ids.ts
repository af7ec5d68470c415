import { attributeOf, everyElement } from '../xml.ts'
import type { Package } from './package.ts'

/** What has each id in a package document: the name of its element, or of its property for a `meta`. */
export function idsOf({ element, items }: Package): Map<string, string> {
  const found = new Map(items.map(({ id }) => [id, 'item']))
  for (const child of everyElement(element)) {
    const id = attributeOf(child, 'id')
    if (id === undefined) continue
    found.set(id, (child.name === 'meta' && attributeOf(child, 'property')) || child.name)
  }
  return found
}
