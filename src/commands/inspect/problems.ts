import type { ExaminedBook } from '../../books/examine.ts'
import type { Check } from '../../books/outside-checks.ts'
import type { Context } from '../../cli/context.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import type { View } from '../../cli/output/view.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { showEach } from '../../cli/show-each.ts'
import { aboutReport } from '../../inspect/about.ts'
import type { NewBaseline } from '../../inspect/new-baseline.ts'
import { checkedRows, checkedTally, eachProblem, knownText } from '../../inspect/problem-report/rows.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import { checkersOf } from '../../system/checked-by.ts'
import type { FailureDetail } from '../../system/errors.ts'
import { askedChecks } from '../../uploads/asked-checks.ts'
import type { NamingOptions } from '../../uploads/inputs/named-files.ts'
import { openedChecks } from '../../uploads/opened-checks.ts'
import { printProblems, problemCounts, refuseUnfit } from '../../uploads/options/book-problems.ts'
import type { BooksInOrder } from '../../uploads/reading/in-order.ts'
import { shownCheck } from '../../uploads/shown-check.ts'
import { warnOfOutdated } from '../../uploads/tell-checkers.ts'
import { isOnlyInReport, namedBooks } from './named-books.ts'

interface ProblemOptions extends NamingOptions {
  readonly report?: string | undefined
  readonly type?: PublicationType | undefined
  readonly epubcheck?: boolean | undefined
  readonly ace?: true | undefined
  readonly rules?: readonly string[] | undefined
  /** ONIX messages. */
  readonly feed?: readonly string[] | undefined
  readonly writeBaseline?: string | undefined
  readonly onlyProblems?: true | undefined
  readonly isStrict: boolean
}

/** Shows books with what is wrong with them, and writes the report. Throws the failure of `inspect` if books are unfit. */
export async function inspectProblems(
  context: Context,
  inputs: readonly string[],
  options: ProblemOptions,
  { view, terminalView }: { readonly view: View; readonly terminalView: View },
): Promise<void> {
  const { report, type, epubcheck, ace, feed, onlyProblems, isStrict, writeBaseline, ...others } = options
  const { rules: ruleNames, ...naming } = others
  await context.check(view)
  const reports = report === undefined ? undefined : await import('../../inspect/problem-report/index.ts')
  if (report !== undefined) reports?.checkProblemReport(report)
  const baseline = writeBaseline === undefined ? undefined : await newBaseline(writeBaseline)
  const asksBaselines = baseline === undefined
  const asked = await askedChecks(context, { rules: ruleNames, epubcheck, asksBaselines })
  const { rules, epubCheck } = await openedChecks(context, asked)
  const named = await namedBooks(inputs, naming, context.world)
  const feeds = feed && (await (await import('./book-record.ts')).readFeedTitles(feed, context.world.mayRead))
  const check = ace ? await withAce(context, epubCheck) : epubCheck
  const { examineBook, readsFor } = await import('../../books/examine.ts')
  const inOrder = named.isList ? await openedInOrder(named.files) : undefined
  const listsProblems = showsFullTable(context)
  const books: ExaminedBook[] = []
  const read = async (file: string): Promise<ExaminedBook> => {
    const examined = await examineBook(file, context.world.mayRead, {
      ...{ read: inOrder?.read, type, check, rules },
      recordOf: found => named.rowOf(file) ?? feeds?.(file, found),
    })
    const book = baseline?.add(examined) ?? examined
    books.push(book)
    return book
  }
  const isShown = ({ problems }: ExaminedBook) => !onlyProblems || !named.isList || problems.length > 0
  const rowsFor = async (file: string): Promise<object | readonly object[]> => {
    const book = await read(file)
    if (!isShown(book)) return []
    if (listsProblems) return { ...book, verdict: problemCounts(book.problems) }
    return context.format === 'csv' ? eachProblem(book) : book
  }
  const unreadRow = (file: string) => ({ file, verdict: 'cannot be read' })
  const isInReport = isOnlyInReport(context, named.isList, report)
  const shownAs = listsProblems ? terminalView : view
  const { unread } = await showEach(
    context,
    isInReport ? undefined : shownAs,
    named,
    rowsFor,
    listsProblems ? unreadRow : undefined,
  ).finally(() => inOrder?.close())
  if (listsProblems && !isInReport) await printProblems(context, books.filter(isShown))
  if (report !== undefined) await writeReport(books, unread, report)
  const written = baseline?.write()
  if (written) await context.note(`${writeBaseline} has ${baselineText(written)}.`)
  if (named.isList) {
    const checkers = checkersOf(books)
    const by = checkers.length === 0 ? '' : ` Checked by ${checkers.join(' and ')}.`
    await context.note(`${checkedTally(books, unread.length)}.${knownText(books)}${by}`)
  }
  if (report !== undefined) await context.note(`The report is in ${report}.`)
  await warnOfOutdated(context, books)
  refuseUnfit(books, unread, isStrict)

  async function openedInOrder(files: readonly string[]): Promise<BooksInOrder> {
    const { openInOrder } = await import('../../uploads/reading/in-order.ts')
    return await openInOrder(files, context.world.mayRead, readsFor(rules), context.world.signal)
  }

  async function newBaseline(path: string): Promise<NewBaseline> {
    const { beginBaseline } = await import('../../inspect/new-baseline.ts')
    return await beginBaseline(path, context.world.mayRead)
  }

  async function writeReport(
    checked: readonly ExaminedBook[],
    failed: readonly FailureDetail[],
    path: string,
  ): Promise<void> {
    const { hide } = context.err
    const rows = checkedRows(hideInside(checked, hide), hideInside(failed, hide)).filter(
      ({ problems, error }) => !onlyProblems || problems.length > 0 || error !== undefined,
    )
    const about = aboutReport(inputs, context.world.clock.now(), hide)
    reports?.writeProblemReport(path, rows, about, { isStrict, rules })
  }
}

const baselineText = ({ faults, books }: ReturnType<NewBaseline['write']>): string =>
  `${faults.toLocaleString('en')} known ${faults === 1 ? 'problem' : 'problems'} of ${books.toLocaleString('en')} ${books === 1 ? 'book' : 'books'}`

/** The check by Ace, after another one if there is any; Ace is loaded only then. */
async function withAce(context: Context, before: Check | undefined): Promise<Check> {
  const { inTurn, openAce } = await import('../../books/outside-checks.ts')
  const check = shownCheck('Ace', await openAce(context.world), context)
  return before ? inTurn(before, check) : check
}
