import type * as z from 'zod'
import type { PublicationSummary } from '../contract/publication.ts'

/**
 * Books that were published before the sandbox came to be: they live on in reading histories and analytics alone,
 * since publications are what the API can create. `dailyViews` is what a usual day brings.
 */
export interface BacklistBook {
  publicationId: string
  title: string
  author: string[]
  type: 'EPUB' | 'PDF' | 'Audio'
  isReflowable: boolean
  dailyViews: number
}

export const backlist: readonly BacklistBook[] = [
  book('pub_backlist_pride', 'Pride and Prejudice', 'Jane Austen', 'EPUB', 31),
  book('pub_backlist_moby', 'Moby-Dick; or, The Whale', 'Herman Melville', 'EPUB', 17),
  book('pub_backlist_alice', 'Alice’s Adventures in Wonderland', 'Lewis Carroll', 'EPUB', 24),
  book('pub_backlist_faust', 'Faust: Eine Tragödie', 'Johann Wolfgang von Goethe', 'PDF', 9),
  book('pub_backlist_miserables', 'Les Misérables', 'Victor Hugo', 'EPUB', 13),
  book('pub_backlist_sherlock', 'The Adventures of Sherlock Holmes', 'Arthur Conan Doyle', 'Audio', 20),
]

function book(
  publicationId: string,
  title: string,
  author: string,
  type: BacklistBook['type'],
  dailyViews: number,
): BacklistBook {
  return { publicationId, title, author: [author], type, isReflowable: type === 'EPUB', dailyViews }
}

/** A backlist book as reading histories show it. */
export function summaryOfBacklist(publicationId: string): z.output<typeof PublicationSummary> {
  const found = backlist.find(book => book.publicationId === publicationId)
  if (!found) throw new Error(`no book ${publicationId} on the backlist`)
  const { dailyViews, ...summary } = found
  return { ...summary, status: 'live', uploadStatus: 'available', currentEditionId: `${publicationId}_1` }
}
