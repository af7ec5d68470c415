import { shellWord } from '../system/shell-word.ts'
import type { KnownEdition, KnownPublication } from './known.ts'
import { type Comparison, compareContent, isbn13, isNamesake } from './match.ts'
import type { Wanted } from './wanted.ts'

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
