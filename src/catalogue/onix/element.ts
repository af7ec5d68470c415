import type { OnixName } from './names.ts'

/** An element of a record; its name is the reference name, or that of an XHTML element within a text. */
export interface OnixElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: (OnixElement | string)[]
}

/** The elements of a name directly within one. */
export const elementsIn = (element: OnixElement | undefined, name: OnixName): OnixElement[] =>
  (element?.content ?? []).filter(
    (child): child is OnixElement => typeof child !== 'string' && child.name === name,
  )

/** The first element of a name directly within one. */
export const elementIn = (element: OnixElement | undefined, name: OnixName): OnixElement | undefined =>
  elementsIn(element, name)[0]

/** The text of an element in one line; empty if there is none. */
const lineOf = (element: OnixElement | undefined): string => rawTextOf(element).replace(/\s+/g, ' ').trim()

/** The text of an element and of those within it, as it is written. */
export function rawTextOf(element: OnixElement | undefined): string {
  const parts: string[] = []
  const collect = (within: OnixElement): void => {
    for (const child of within.content) {
      if (typeof child === 'string') parts.push(child)
      else collect(child)
    }
  }
  if (element) collect(element)
  return parts.join('')
}

/** The text of the first element of a name directly within one, in one line; empty if there is none. */
export const valueIn = (element: OnixElement | undefined, name: OnixName): string =>
  lineOf(elementIn(element, name))

/** The texts of all elements of a name directly within one, without empty ones. */
export const valuesIn = (element: OnixElement | undefined, name: OnixName): string[] =>
  elementsIn(element, name).map(lineOf).filter(Boolean)
