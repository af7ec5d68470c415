import type { KnownEdition } from './known.ts'
import type { Wanted } from './wanted.ts'

/** A text in NFC with single spaces, so that texts that look the same are equal. */
export const plainText = (text: string): string =>
  text.normalize('NFC').replace(/\s/g, ' ').split(' ').filter(Boolean).join(' ')

export const isSameText = (one: string, other: string): boolean =>
  one === other || plainText(one) === plainText(other)

/** Whether two lists have the same texts in any order. */
export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  isSameList([...one].sort(), [...other].sort())

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => isSameText(each, other[index] as string))

/** An ISBN as thirteen digits; undefined if it is none. The check digit of an ISBN-13 is not verified. */
export function isbn13(text: unknown): string | undefined {
  const digits = typeof text === 'string' ? text.replace(/[\s-]/g, '') : ''
  if (/^\d{13}$/.test(digits)) return digits
  if (!/^\d{9}[\dXx]$/.test(digits)) return undefined
  const body = `978${digits.slice(0, 9)}`
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return body + ((10 - (sum % 10)) % 10)
}

/** Title, authors and type of something at the service, as a listing gives them. */
interface Named {
  readonly title: string | null | undefined
  readonly authors: readonly string[] | null | undefined
  readonly type: string | null | undefined
}

/**
 * Whether something at the service has the book's title, authors and type, as far as it names them. It is then a candidate,
 * and nothing is proven.
 */
export function isNamesake(
  { title, authors, type }: Pick<Wanted, 'title' | 'authors'> & { readonly type: string | null },
  other: Named,
): boolean {
  if (title === undefined || !other.title || !isSameText(title, other.title)) return false
  if (other.type && type !== null && other.type !== type) return false
  return authors.length === 0 || !other.authors?.length || isSameList(authors, other.authors)
}

/** Compares a file's content with an edition's: by SHA-256, or else by size, which cannot prove that it is the same. */
export type Comparison = 'same' | 'same size' | 'different' | 'not known'

export function compareContent(
  { sha256, bytes }: { readonly sha256: string | null; readonly bytes: number | null },
  edition: KnownEdition,
): Comparison {
  if (sha256 !== null && edition.sha256 !== null)
    return sha256.toLowerCase() === edition.sha256.toLowerCase() ? 'same' : 'different'
  if (edition.bytes === null || bytes === null) return 'not known'
  return edition.bytes === bytes ? 'same size' : 'different'
}
