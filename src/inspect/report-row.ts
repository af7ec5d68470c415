import type { Book, Problem } from '../books/book.ts'
import type { FailureDetail } from '../system/errors.ts'
import { given } from '../system/given.ts'

/** What every report says of a file; of one that could not be read as a book, only why. */
export interface ReportRow
  extends Partial<Pick<Book, 'type' | 'title' | 'authors' | 'language' | 'isbn' | 'publisher' | 'layout'>> {
  readonly file: string
  /** Why the file is not described. */
  readonly error?: { readonly code: string; readonly message: string }
}

/** What a report says of a book, whatever it is about. */
export const bookRow = ({
  file,
  type,
  title,
  authors,
  language,
  isbn,
  publisher,
  layout,
}: Omit<Book, 'accessibility' | 'rights'> & { readonly file: string }): ReportRow => ({
  file,
  type,
  ...given({ title }),
  authors,
  ...given({ language, isbn, publisher, layout }),
})

/** What a report says of a file that could not be read as a book. */
export const unreadRow = ({ path, code = 'file_unreadable', message }: FailureDetail): ReportRow => ({
  file: String(path?.[0] ?? ''),
  error: { code, message },
})

/** Why what a book says of a subject, such as its rights, could not be read. */
export function whyUnread(problems: readonly Problem[], subject: string): Pick<ReportRow, 'error'> {
  const error = problems.find(({ severity }) => severity === 'error')
  const { code = 'unexamined', message = `What it says of its ${subject} could not be read.` } = error ?? {}
  return { error: { code, message } }
}

/** Sorts by name what is equally bad. */
export const byFile = (a: { readonly file: string }, b: typeof a): number =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : 0
