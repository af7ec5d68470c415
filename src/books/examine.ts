import type { PublicationType } from '../service/contract/publication-type.ts'
import { stat } from '../system/files.ts'
import type { MayRead } from '../system/may-read.ts'
import type { Book, Problem } from './book.ts'
import { checkType } from './check-type.ts'
import { readBook } from './index.ts'
import { sortBySeverity } from './problems.ts'
import type { Rules } from './rules/index.ts'

/** A book, with the problems of its file's name among the others, the gravest first. */
export type ExaminedBook = Book & { readonly file: string }

interface ExamineOptions {
  /** The type that the user gives, where the name of the file says another. */
  readonly type?: PublicationType | undefined
  /** Further checks, such as those of other programs. */
  readonly check?: (file: string, book: Book) => Promise<readonly Problem[]>
  /** The rules that it is judged by as well. */
  readonly rules?: Rules | undefined
}

/** Reads a local book and checks it. Throws as `readBook` does. */
export async function examineBook(
  file: string,
  mayRead: MayRead,
  { type, check = async () => [], rules }: ExamineOptions = {},
): Promise<ExaminedBook> {
  const book = await readBook(file, mayRead, { outline: true, ...rules?.reads })
  const found = [...checkType(file, book, type), ...book.problems, ...(await check(file, book))]
  const problems = sortBySeverity(found)
  if (rules === undefined) return { file, ...book, problems }
  const { size: bytes } = await stat(file)
  // What was read for the rules alone is nothing that people ask for.
  const { content: _, rights: __, ...plain } = book
  return { file, ...plain, problems: rules.judge({ file, bytes, book, problems }) }
}
