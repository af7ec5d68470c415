import { shellWord } from '../system/shell-word.ts'
import type { KnownEdition, KnownPublication } from './known.ts'
import type { Wanted } from './wanted.ts'

/** A text in NFC with single spaces, so that texts that look the same are equal. Most words of ASCII are that already. */
export const plainText = (text: string): string =>
  /^[!-~]+(?: [!-~]+)*$/.test(text)
    ? text
    : text.normalize('NFC').replace(/\s/g, ' ').split(' ').filter(Boolean).join(' ')

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

export interface Match {
  readonly publication: KnownPublication
  readonly edition: KnownEdition
  readonly content: Comparison
  readonly by: 'content' | 'isbn' | 'title'
}

/** How a publication matches the book; undefined if it does not, or if all its uploads failed. */
export function matchOf(wanted: Wanted, publication: KnownPublication): Match | undefined {
  const editions = publication.editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const newest = editions[0]
  if (newest === undefined) return undefined
  const current = editions.find(({ isCurrent }) => isCurrent) ?? newest
  const edition = [current, newest].find(each => compareContent(wanted, each) === 'same') ?? current
  const content = compareContent(wanted, edition)
  if (content === 'same') return { publication, edition, content, by: 'content' }
  const [isbn, other] = [isbn13(wanted.isbn), isbn13(edition.fields.metadata?.['isbn'])]
  if (isbn !== undefined && isbn === other) return { publication, edition, content, by: 'isbn' }
  if (isbn !== undefined && other !== undefined) return undefined
  const { title, author } = edition.fields
  const isTitled = isNamesake(wanted, { title, authors: author, type: edition.type })
  return isTitled ? { publication, edition, content, by: 'title' } : undefined
}

export const isOtherType = ({ type }: KnownEdition, wanted: string): boolean =>
  type !== null && type !== wanted

export const hasFailed = (status: string | null): boolean =>
  status === 'upload_failed' || status === 'upload_quarantine'

/** Whether the file of an edition is known to have reached the service. Its SHA-256 proves nothing, as it is told before. */
export const isSent = ({ wasSent, uploadStatus }: KnownEdition): boolean =>
  wasSent || isReceived(uploadStatus)

/** What to do about an edition whose file has not arrived. Its publication may have others, which readers have. */
export const awaitedHint = (publicationId: string, file: string): string =>
  `Wait for whoever uploads it, or send the file as a new edition: pubctl editions upload ${publicationId} ${shellWord(file)}`

/** Whether the service has received the file, whatever processing says of it (§3.1). */
export const isReceived = (status: string | null): boolean =>
  status === 'uploaded' || status === 'available' || hasFailed(status)
