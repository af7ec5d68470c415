import type { Position } from '../position.ts'

/** A reference of a document, as it is written, where its element begins or where it stands in a style. */
export interface Reference extends Position {
  href: string
  /** What is done with its target: it is shown as a part of the page, a reader can go there, or it is read aloud. */
  kind: 'resource' | 'link' | 'citation' | 'reading'
  /** The element that has it, without a prefix; none in a style. */
  element: string
  /** Of an `audio`, `video` or `picture` and what is within it: its name, and its number in the page. */
  choice: { name: string; number: number } | undefined
  /** Whether the element says of which type the target is. */
  isTyped: boolean
}

/** The addresses in an attribute of an element, as they are written. */
export function hrefsIn(element: string, prefix: string, attribute: string, value: string): string[] {
  if (attribute === 'srcset' && prefix === '') return candidatesIn(value)
  if (attribute === 'textref') return [value.trim()]
  const isReference =
    attribute === 'href'
      ? element !== 'base'
      : prefix === '' &&
        (['src', 'poster', 'altimg', 'cite'].includes(attribute) ||
          (attribute === 'data' && element === 'object'))
  return isReference && value.trim() !== '' ? [value.trim()] : []
}

/** The addresses of a `srcset`. One may have commas within it, but not at its end. */
function candidatesIn(srcset: string): string[] {
  const found: string[] = []
  const address = /[^\s,]\S*/g
  for (let match = address.exec(srcset); match !== null; match = address.exec(srcset)) {
    let [href] = match
    let isLast = href.endsWith(',')
    // Some write a space between the type of data and the data.
    if (isLast && /^data:/i.test(href)) isLast = address.exec(srcset)?.[0].endsWith(',') === true
    while (href.endsWith(',')) href = href.slice(0, -1)
    found.push(href)
    // Its width or density stands between it and the comma.
    const comma = isLast ? address.lastIndex - 1 : srcset.indexOf(',', address.lastIndex)
    if (comma < 0) break
    address.lastIndex = comma
  }
  return found
}

/** What is done with the target of an attribute; undefined of a link to what is no part of a page. */
export function referenceKind(
  element: string,
  attribute: string,
  rel: string | undefined,
): Reference['kind'] | undefined {
  if (attribute === 'cite') return 'citation'
  if (['a', 'area', 'search-key-group'].includes(element)) return 'link'
  if (element === 'text' || attribute === 'textref') return 'reading'
  if (element === 'link') return /\bstylesheet\b/i.test(rel ?? '') ? 'resource' : undefined
  return 'resource'
}
