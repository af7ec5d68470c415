import { referencedCharacter } from '../entities.ts'
import { byteOf } from './markup-bytes.ts'

/** The most that stands between the signs of a reference, such as `&#1114111;`. */
const room = 9

/** The character that a reference in the bytes of a page is to, and where that ends; undefined if it is none of XML's own. */
export function referenceAt(page: Buffer, begins: number): { character: string; end: number } | undefined {
  let end = begins + 1
  while (page[end] !== byteOf.semicolon) {
    end += 1
    if (end > begins + 1 + room) return undefined
  }
  const character = referencedCharacter(page.toString('latin1', begins + 1, end))
  return character === undefined ? undefined : { character, end: end + 1 }
}

/** A text as it is read, by what is written. All references in it are to characters. */
export const readTextContent = (written: string): string =>
  /[&\r]/.test(written)
    ? written.replace(/&([^&;]{1,9});|\r\n?/g, (_, reference?: string) =>
        reference === undefined ? '\n' : (referencedCharacter(reference) ?? ''),
      )
    : written

/** The value of an attribute as it is read, by the text that is written. All references in it are to characters. */
export const readValue = (written: string): string =>
  written.replace(/&([^&;]{1,9});|\r\n?|[\t\n]/g, (_, reference?: string) =>
    reference === undefined ? ' ' : (referencedCharacter(reference) ?? ''),
  )
