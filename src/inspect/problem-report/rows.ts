import { knownCount } from '../../books/baseline/known.ts'
import type { Problem, Severity } from '../../books/book.ts'
import type { ExaminedBook } from '../../books/examine.ts'
import type { CheckedBy } from '../../system/checked-by.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { given } from '../../system/given.ts'
import { bookRow, type ReportRow, unreadRow } from '../report-row.ts'
import { tallied } from '../tallied.ts'

/** A file in a report. */
export interface CheckedRow extends ReportRow {
  readonly problems: readonly Problem[]
  /** Who else has checked it. */
  readonly checkedBy?: readonly CheckedBy[]
}

export const checkedStates = ['unread', 'error', 'warning', 'information', 'none'] as const
/** How grave the gravest problem of a file is. */
export type CheckedState = (typeof checkedStates)[number]

export const checkedStateOf = ({ problems, error }: Pick<CheckedRow, 'problems' | 'error'>): CheckedState =>
  error ? 'unread' : (severities.find(each => problems.some(({ severity }) => severity === each)) ?? 'none')

const severities: readonly Severity[] = ['error', 'warning', 'information']

/** The rows of a report, the gravest first: the files that could not be read, and the books. */
export function checkedRows(books: readonly ExaminedBook[], unread: readonly FailureDetail[]): CheckedRow[] {
  const rows: CheckedRow[] = [
    ...unread.map(each => ({ ...unreadRow(each), problems: [] })),
    ...books.map(book => ({
      ...bookRow(book),
      problems: book.problems,
      ...given({ checkedBy: book.checkedBy }),
    })),
  ]
  return checkedStates.flatMap(state => rows.filter(row => checkedStateOf(row) === state))
}

/** A row for each problem of a book, and one for a book without any. */
export const eachProblem = (row: { readonly problems: readonly Problem[] }): object[] =>
  row.problems.length === 0 ? [row] : row.problems.map(problems => ({ ...row, problems }))

/** How tallies and pages name the states. */
export const checkedWords: Readonly<Record<CheckedState, string>> = {
  unread: 'unreadable',
  error: 'with errors',
  warning: 'with warnings',
  information: 'with remarks',
  none: 'without problems',
}

/** All files in a line of words, such as `28 books: 2 unreadable, 4 with errors, 22 without problems`. */
export function checkedTally(books: readonly Pick<CheckedRow, 'problems'>[], unread: number): string {
  const states = [...Array<CheckedState>(unread).fill('unread'), ...books.map(checkedStateOf)]
  return `${states.length.toLocaleString('en')} ${states.length === 1 ? 'book' : 'books'}: ${tallied(checkedStates, states, { one: checkedWords, several: checkedWords })}`
}

/** How many problems of some books a baseline knows, as a sentence with a space before it; empty without any. */
export function knownText(books: readonly Pick<CheckedRow, 'problems'>[]): string {
  const count = books.reduce((sum, { problems }) => sum + knownCount(problems), 0)
  return count === 0
    ? ''
    : ` ${count.toLocaleString('en')} ${count === 1 ? 'problem is' : 'problems are'} known.`
}
