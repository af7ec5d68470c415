import type { PublicationType } from '../service/contract/publication-type.ts'
import type { CheckedBy } from '../system/checked-by.ts'
import { stat } from '../system/files.ts'
import { given } from '../system/given.ts'
import type { MayRead } from '../system/may-read.ts'
import type { Book, ReadBook, ReadOptions } from './book.ts'
import { checkType } from './check-type.ts'
import { readBook } from './index.ts'
import type { Check } from './outside-checks.ts'
import { sortBySeverity } from './problems.ts'
import type { Rules } from './rules/index.ts'
import type { RecordOfBook } from './rules/predicate.ts'

/** A book, with the problems of its file's name among the others, the gravest first. */
export type ExaminedBook = Book & {
  readonly file: string
  /** Who else has checked it, if others were asked to. */
  readonly checkedBy?: readonly CheckedBy[]
}

interface ExamineOptions {
  /** Reads it, with what `readsFor` says and the failures of `readBook`, which is used otherwise. */
  readonly read?: ((file: string) => Promise<ReadBook>) | undefined
  /** The type that the user gives, where the name of the file says another. */
  readonly type?: PublicationType | undefined
  /** Further checks, such as those of other programs. */
  readonly check?: Check | undefined
  /** The rules that it is judged by as well. */
  readonly rules?: Rules | undefined
  /** Its record in the feed or sheet that was given; null if that has none. Looked up once the book is read. */
  readonly recordOf?: ((book: Book) => RecordOfBook | null | undefined) | undefined
}

/** What has to be read of books that are examined by these rules. */
export const readsFor = (rules: Pick<Rules, 'reads'> | undefined): ReadOptions => ({
  outline: true,
  inventory: true,
  ...rules?.reads,
})

/** Reads a local book and checks it. Throws as `readBook` does. */
export async function examineBook(
  file: string,
  mayRead: MayRead,
  { read, type, check, rules, recordOf }: ExamineOptions = {},
): Promise<ExaminedBook> {
  const book = await (read?.(file) ?? readBook(file, mayRead, readsFor(rules)))
  const own = [...checkType(file, book, type), ...book.problems]
  const checked = await check?.(file, { ...book, problems: own })
  const problems = sortBySeverity(checked?.problems ?? own)
  const by = given({ checkedBy: checked?.checkedBy })
  if (rules === undefined) return { file, ...book, ...by, problems }
  const { size: bytes } = await stat(file)
  // What was read for the rules alone is nothing that people ask for.
  const { content: _, rights: __, ...plain } = book
  return {
    file,
    ...plain,
    ...by,
    problems: rules.judge({ file, bytes, book, problems, ...by, record: recordOf?.(book) }),
  }
}
