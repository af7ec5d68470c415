import type { ReadOptions } from '../../books/book.ts'
import type { Book } from '../../books/index.ts'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { createCountProgress } from '../../cli/output/count-progress.ts'
import { neutraliseLine } from '../../cli/output/neutralise.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import type { View } from '../../cli/output/view.ts'
import { wrap } from '../../cli/output/wrap.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { type About, aboutReport } from '../../inspect/about.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import { Failure, type FailureDetail, isFatal } from '../../system/errors.ts'
import { rest } from '../../system/rest.ts'
import type { NamingOptions } from '../../uploads/inputs/named-files.ts'
import { printProblems, refuseUnfit } from '../../uploads/options/book-problems.ts'
import { isOnlyInReport, namedBooks } from './named-books.ts'

export interface DescribeOptions extends NamingOptions {
  readonly isStrict: boolean
  readonly report?: string | undefined
  readonly type?: PublicationType | undefined
}

/** A file with its book. */
export type FileOfBook = Book & { readonly file: string }

type Described = Pick<Book, 'problems'> & { readonly file: string }

/** A line below the card of a book, or the table of several. */
export interface Remark {
  readonly kind: string
  readonly text: string
  readonly tone: 'red' | 'yellow'
}

/** What books are asked for, and how that is shown. */
export interface InspectSubject<T extends Described> {
  readonly reads: ReadOptions
  readonly view: (kind: 'all' | 'table' | 'card') => View
  /** Asks others what is needed, once it is certain that there is something to do. The result describes what was read, the worst first. */
  readonly prepare: () => Promise<(books: readonly FileOfBook[]) => Promise<T[]>>
  readonly remarksOn: (book: T, isAlone: boolean) => Remark[]
  /** All books in a line of words, such as `2 agree, 1 contradicts`. `unread` is how many could not be read. */
  readonly tallyOf: (books: readonly T[], unread: number) => string
  /** Throws UsageFailure if no report of this name can be written. */
  readonly checkReport: (path: string) => Promise<void>
  readonly writeReport: (
    path: string,
    books: readonly T[],
    unread: readonly FailureDetail[],
    about: About,
  ) => Promise<void>
  /** What to do about books that are unfit, if it is not what "inspect" says anyway. */
  readonly hint?: string
}

/**
 * Shows what books say of a subject, several with the worst first, and writes the report. Throws the failure of `inspect` if
 * books are unfit or cannot be read.
 */
export async function inspectDescribed<T extends Described>(
  context: Context,
  inputs: readonly string[],
  options: DescribeOptions,
  subject: InspectSubject<T>,
): Promise<void> {
  await context.check(subject.view('all'))
  if (options.report !== undefined) await subject.checkReport(options.report)
  const { files, isList } = await namedBooks(inputs, options, context.world)
  const describe = await subject.prepare()
  const { read, failures } = await readAll(context, files, options.type, subject.reads)
  const books = await describe(read)
  const unread = partFailed(failures, files.length).details ?? []

  if (options.report !== undefined) {
    const { hide } = context.err
    await subject.writeReport(
      options.report,
      hideInside(books, hide),
      hideInside(unread, hide),
      aboutReport(inputs, context.world.clock.now(), hide),
    )
  }
  const [first] = books
  const showsTable = showsFullTable(context)
  const isInReport = isOnlyInReport(context, isList, options.report)
  if (!isList) {
    if (first === undefined) throw failures[0]?.failure
    await context.item(subject.view(showsTable ? 'card' : 'all'), first)
  } else if (!isInReport) {
    await context.list(subject.view(context.format === 'csv' ? 'all' : 'table'), [books])
  }
  if (showsTable && !isInReport) {
    await printRemarks(
      context,
      books.flatMap(book => subject.remarksOn(book, !isList)),
    )
    await printProblems(context, books.map(withoutWarnings))
  }
  if (isList) await context.note(`${subject.tallyOf(books, unread.length)}.`)
  if (options.report !== undefined) await context.note(`The report is in ${options.report}.`)
  refuseUnfit(books, unread, options.isStrict, subject.hint)
}

/** What ends the command with an exit code; warnings would hide what was asked for. */
const withoutWarnings = ({ file, problems }: Described) => ({
  file,
  problems: problems.filter(({ severity }) => severity === 'error'),
})

async function readAll(
  context: Context,
  files: readonly string[],
  type: PublicationType | undefined,
  reads: ReadOptions,
): Promise<{ read: FileOfBook[]; failures: { id: string; failure: Failure }[] }> {
  const { checkType } = await import('../../books/index.ts')
  const { openInOrder } = await import('../../uploads/reading/in-order.ts')
  const read: FileOfBook[] = []
  const failures: { id: string; failure: Failure }[] = []
  const count =
    files.length > 1
      ? createCountProgress(await context.progress(), context.err, context.world.clock)
      : undefined
  const { mayRead, signal } = context.world
  const inOrder = await openInOrder(files, mayRead, { outline: true, ...reads }, signal)
  try {
    for (const [done, file] of files.entries()) {
      await rest(signal)
      count?.show('reading books', done, files.length)
      try {
        const book = await inOrder.read(file)
        read.push({ file, ...book, problems: [...checkType(file, book, type), ...book.problems] })
      } catch (error) {
        if (!(error instanceof Failure) || isFatal(error)) throw error
        failures.push({ id: file, failure: error })
      }
    }
  } finally {
    count?.stop()
    await inOrder.close()
  }
  return { read, failures }
}

async function printRemarks({ out }: Context, remarks: readonly Remark[]): Promise<void> {
  const lines = remarks.map(({ kind, text, tone }) => {
    const line = wrap(neutraliseLine(`${kind}: ${text}`), out.width, '  ')
    return `${out.paint(tone, kind)}${line.slice(kind.length)}\n`
  })
  if (lines.length > 0) await out.styled(`\n${lines.join('')}`)
}
