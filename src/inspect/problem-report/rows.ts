import type { Book, Problem, Severity } from '../../books/book.ts'
import type { ExaminedBook } from '../../books/examine.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { given } from '../../system/given.ts'

/** A file in a report. */
export interface CheckedRow {
  readonly file: string
  readonly type?: Book['type']
  readonly title?: string
  readonly authors?: readonly string[]
  readonly language?: string
  readonly isbn?: string
  readonly problems: readonly Problem[]
  /** Why the file could not be read as a book. */
  readonly error?: { readonly code: string; readonly message: string }
}

export const checkedStates = ['unread', 'error', 'warning', 'information', 'none'] as const
/** How grave the gravest problem of a file is. */
export type CheckedState = (typeof checkedStates)[number]

export const checkedStateOf = ({ problems, error }: Pick<CheckedRow, 'problems' | 'error'>): CheckedState =>
  error ? 'unread' : (severities.find(each => problems.some(({ severity }) => severity === each)) ?? 'none')

const severities: readonly Severity[] = ['error', 'warning', 'information']

/** The rows of a report, the gravest first: the files that could not be read, and the books. */
export function checkedRows(books: readonly ExaminedBook[], unread: readonly FailureDetail[]): CheckedRow[] {
  const rows = [
    ...unread.map(
      ({ path, code = 'unreadable', message }): CheckedRow => ({
        ...{ file: String(path?.[0] ?? ''), problems: [], error: { code, message } },
      }),
    ),
    ...books.map(
      ({ file, type, title, authors, language, isbn, problems }): CheckedRow => ({
        ...{ file, type, ...given({ title, language, isbn }), authors, problems },
      }),
    ),
  ]
  return checkedStates.flatMap(state => rows.filter(row => checkedStateOf(row) === state))
}

const stateWords: Readonly<Record<CheckedState, string>> = {
  unread: 'unreadable',
  error: 'with errors',
  warning: 'with warnings',
  information: 'with remarks',
  none: 'without problems',
}

/** All files in a line of words, such as `28 books: 2 unreadable, 4 with errors, 22 without problems`. */
export function checkedTally(books: readonly Pick<CheckedRow, 'problems'>[], unread: number): string {
  const all = books.length + unread
  const counts = checkedStates.flatMap(state => {
    const count = state === 'unread' ? unread : books.filter(book => checkedStateOf(book) === state).length
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${stateWords[state]}`]
  })
  return `${all.toLocaleString('en')} book${all === 1 ? '' : 's'}: ${counts.join(', ')}`
}
