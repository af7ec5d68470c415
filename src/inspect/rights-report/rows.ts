import type { Book } from '../../books/index.ts'
import type { Rights } from '../../books/rights/join.ts'
import type { Carrier } from '../../books/rights/says.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { given } from '../../system/given.ts'
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
export interface RightsRow extends Pick<RightsBook, 'file' | 'rights'> {
  readonly state: RightsState
  readonly type?: Book['type']
  readonly title?: string
  readonly authors?: readonly string[]
  readonly isbn?: string
  readonly publisher?: string
  /** Why the file is not described. */
  readonly error?: { readonly code: string; readonly message: string }
}

export const rightsStateOf = ({ rights }: Pick<RightsBook, 'rights'>): RightsState =>
  rights?.verdict ?? 'unread'

/** Sorts books, the worst first: by the verdict, then by how many contradictions they have, then by name. */
export function worstRightsFirst(a: Pick<RightsBook, 'file' | 'rights'>, b: typeof a): number {
  const byState = rightsStates.indexOf(rightsStateOf(a)) - rightsStates.indexOf(rightsStateOf(b))
  const byCount = (b.rights?.contradictions.length ?? 0) - (a.rights?.contradictions.length ?? 0)
  return byState || byCount || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)
}

/** The rows of a report, the worst first: the books, and the files that could not be read as books. */
export function rightsRowsOf(books: readonly RightsBook[], unread: readonly FailureDetail[]): RightsRow[] {
  const unreadRows = unread.map(
    ({ path, code, message }): RightsRow => ({
      file: String(path?.[0] ?? ''),
      state: 'unread',
      rights: null,
      error: { code: code ?? 'file_unreadable', message },
    }),
  )
  return [...books.map(rowOf), ...unreadRows].sort(worstRightsFirst)
}

function rowOf(book: RightsBook): RightsRow {
  const { file, type, title, authors, isbn, publisher, rights, problems } = book
  const error = problems.find(({ severity }) => severity === 'error')
  return {
    file,
    state: rightsStateOf(book),
    type,
    ...given({ title }),
    authors,
    ...given({ isbn, publisher }),
    rights,
    ...(rights === null && {
      error: {
        code: error?.code ?? 'unexamined',
        message: error?.message ?? 'What it says of its rights could not be read.',
      },
    }),
  }
}
