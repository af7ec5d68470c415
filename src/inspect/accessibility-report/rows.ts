import {
  type Accessibility,
  type AccessibilityState,
  accessibilityStates,
} from '../../books/accessibility/index.ts'
import type { Book } from '../../books/index.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { bookRow, byFile, type ReportRow, unreadRow, whyUnread } from '../report-row.ts'

/** A book that was inspected; `accessibility` is null if the file says nothing that can be read. */
export type Inspected = Omit<Book, 'accessibility'> & {
  readonly file: string
  readonly accessibility: Accessibility | null
}

/** A file in a report. */
export interface BookRow extends ReportRow, Pick<Inspected, 'accessibility'> {
  readonly state: AccessibilityState
}

export const stateOf = ({ accessibility }: Pick<Inspected, 'accessibility'>): AccessibilityState =>
  accessibility?.state ?? 'unread'

/**
 * Sorts books, the worst first: by how much they say, then by how many contradictions they have and how much that is
 * required and then recommended they leave out, then by name.
 */
export function worstFirst(a: Pick<Inspected, 'file' | 'accessibility'>, b: typeof a): number {
  const weights = (row: typeof a) => [
    accessibilityStates.indexOf(stateOf(row)),
    -countOf(row, 'contradictions'),
    -countOf(row, 'required'),
    -countOf(row, 'recommended'),
  ]
  const others = weights(b)
  for (const [index, weight] of weights(a).entries()) {
    const difference = weight - (others[index] as number)
    if (difference !== 0) return difference
  }
  return byFile(a, b)
}

function countOf(
  { accessibility }: Pick<Inspected, 'accessibility'>,
  what: 'contradictions' | 'required' | 'recommended',
): number {
  if (what === 'contradictions') return accessibility?.contradictions.length ?? 0
  return accessibility?.missing.filter(({ level }) => level === what).length ?? 0
}

/** The rows of a report, the worst first: the books, and the files that could not be read as books. */
export const bookRowsOf = (books: readonly Inspected[], unread: readonly FailureDetail[]): BookRow[] =>
  [
    ...books.map(rowOf),
    ...unread.map(each => ({ ...unreadRow(each), state: 'unread' as const, accessibility: null })),
  ].sort(worstFirst)

const rowOf = (book: Inspected): BookRow => ({
  ...bookRow(book),
  state: stateOf(book),
  accessibility: book.accessibility,
  ...(book.accessibility === null && whyUnread(book.problems, 'accessibility')),
})
