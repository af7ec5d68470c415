import type { Book } from '../../books/index.ts'
import type { Rights } from '../../books/rights/join.ts'
import type { Carrier } from '../../books/rights/says.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { bookRow, byFile, type ReportRow, unreadRow, whyUnread } from '../report-row.ts'
import { type RightsState, rightsStates } from './words.ts'

/** The record of a book in a feed, with what it declares in its own codes. */
interface FeedRecord {
  /** `feed.xml, record 9783161484100`. */
  readonly place: string
  readonly declared: object
}

/** The rights of a book as they are shown. */
export interface ShownRights extends Rights {
  /** Carriers in which something is missing. */
  readonly missingIn: readonly Carrier[]
  /** Null if no feed has it; missing if no feed was named. */
  readonly record?: FeedRecord | null
}

/** A book whose rights were looked at; `rights` is null if the file says nothing that can be read. */
export type RightsBook = Omit<Book, 'rights' | 'accessibility'> & {
  readonly file: string
  readonly rights: ShownRights | null
}

/** A file in a report. */
export interface RightsRow extends ReportRow, Pick<RightsBook, 'rights'> {
  readonly state: RightsState
}

export const rightsStateOf = ({ rights }: Pick<RightsBook, 'rights'>): RightsState =>
  rights?.verdict ?? 'unread'

/** Sorts books, the worst first: by the verdict, then by how many contradictions they have, then by name. */
export function worstRightsFirst(a: Pick<RightsBook, 'file' | 'rights'>, b: typeof a): number {
  const byState = rightsStates.indexOf(rightsStateOf(a)) - rightsStates.indexOf(rightsStateOf(b))
  const byCount = (b.rights?.contradictions.length ?? 0) - (a.rights?.contradictions.length ?? 0)
  return byState || byCount || byFile(a, b)
}

/** The rows of a report, the worst first: the books, and the files that could not be read as books. */
export const rightsRowsOf = (books: readonly RightsBook[], unread: readonly FailureDetail[]): RightsRow[] =>
  [
    ...books.map(rowOf),
    ...unread.map(each => ({ ...unreadRow(each), state: 'unread' as const, rights: null })),
  ].sort(worstRightsFirst)

const rowOf = (book: RightsBook): RightsRow => ({
  ...bookRow(book),
  state: rightsStateOf(book),
  rights: book.rights,
  ...(book.rights === null && whyUnread(book.problems, 'rights')),
})
