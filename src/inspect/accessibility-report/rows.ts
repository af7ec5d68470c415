import {
  type Accessibility,
  type AccessibilityState,
  accessibilityStates,
} from '../../books/accessibility/index.ts'
import type { Book } from '../../books/index.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { given } from '../../system/given.ts'

/** A book that was inspected; `accessibility` is null if the file says nothing that can be read. */
export type Inspected = Omit<Book, 'accessibility'> & {
  readonly file: string
  readonly accessibility: Accessibility | null
}

/** A file in a report. */
export interface BookRow extends Pick<Inspected, 'file' | 'accessibility'> {
  readonly state: AccessibilityState
  readonly type?: Book['type']
  readonly title?: string
  readonly authors?: readonly string[]
  readonly language?: string
  readonly isbn?: string
  readonly publisher?: string
  readonly layout?: Book['layout']
  /** Why the file is not described. */
  readonly error?: { readonly code: string; readonly message: string }
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
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0
}

function countOf(
  { accessibility }: Pick<Inspected, 'accessibility'>,
  what: 'contradictions' | 'required' | 'recommended',
): number {
  if (what === 'contradictions') return accessibility?.contradictions.length ?? 0
  return accessibility?.missing.filter(({ level }) => level === what).length ?? 0
}

/** The rows of a report, the worst first: the books, and the files that could not be read as books. */
export function bookRowsOf(books: readonly Inspected[], unread: readonly FailureDetail[]): BookRow[] {
  const unreadRows = unread.map(
    ({ path, code, message }): BookRow => ({
      file: String(path?.[0] ?? ''),
      state: 'unread',
      accessibility: null,
      error: { code: code ?? 'file_unreadable', message },
    }),
  )
  return [...books.map(rowOf), ...unreadRows].sort(worstFirst)
}

function rowOf(book: Inspected): BookRow {
  const { file, type, title, authors, language, isbn, publisher, layout, accessibility, problems } = book
  const error = problems.find(({ severity }) => severity === 'error')
  return {
    file,
    state: stateOf(book),
    type,
    ...given({ title }),
    authors,
    ...given({ language, isbn, publisher, layout }),
    accessibility,
    ...(accessibility === null && {
      error: {
        code: error?.code ?? 'unexamined',
        message: error?.message ?? 'What it says of its accessibility could not be read.',
      },
    }),
  }
}
