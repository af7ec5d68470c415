import { UsageFailure } from '../system/errors.ts'

/**
 * Whether a text is an ISBN: 13 digits that start with 978 or 979, or 10 digits of which the last may be X, without
 * hyphens or spaces, with the right check digit.
 */
export function isIsbn(text: string): boolean {
  if (/^97[89]\d{10}$/.test(text)) return weighted(text, position => (position % 2 === 0 ? 1 : 3)) % 10 === 0
  if (/^\d{9}[\dX]$/.test(text)) return weighted(text, position => 10 - position) % 11 === 0
  return false
}

const weighted = (text: string, weight: (position: number) => number): number =>
  [...text].reduce((sum, digit, position) => sum + weight(position) * (digit === 'X' ? 10 : Number(digit)), 0)

/** An ISBN as people and packages write it, without prefix, hyphens and spaces; not yet checked. */
export const compactIsbn = (text: string): string =>
  text
    .trim()
    .replace(/^urn:isbn:/i, '')
    .replace(/^isbn(?:-?1[03])?[\s:]*(?=[\d])/i, '')
    .replace(/[\s\-\u00AD\u2010-\u2015\u2212]/g, '')
    .toUpperCase()

/** An ISBN of 13 or 10 digits that a user gives, without its hyphens. Throws UsageFailure `bad_isbn`. */
export function parseIsbn(text: string): string {
  const isbn = text.replace(/[\s-]/g, '').toUpperCase()
  if (isIsbn(isbn)) return isbn
  throw new UsageFailure(`"${text}" is not an ISBN`, {
    code: 'bad_isbn',
    hint: 'An ISBN has 13 or 10 digits, of which the last checks the others.',
  })
}
