import type { Command } from '@commander-js/extra-typings'
import type { ExaminedBook } from '../../books/examine.ts'
import type { Check } from '../../books/outside-checks.ts'
import { about } from '../../cli/about.ts'
import type { Context, Run } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { showEach } from '../../cli/show-each.ts'
import { UsageFailure } from '../../system/errors.ts'
import { printProblems, problemCounts, refuseUnfit } from '../../uploads/options/book-problems.ts'
import { bookFiles, namingOptions } from '../../uploads/options/sheet-options.ts'
import { typeOption } from '../../uploads/options/type-option.ts'

const view: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'type' },
    { field: 'title' },
    { field: 'authors' },
    { field: 'language' },
    { field: 'isbn', isCutLast: true },
    { field: 'publisher', isDetail: true },
    { field: 'description', isDetail: true },
    { field: 'epubVersion', isDetail: true },
    { field: 'layout', isMinor: true },
    { field: 'spread', isDetail: true },
    { field: 'pageCount', isDetail: true },
    { field: 'cover.path', label: 'cover', isDetail: true },
    { field: 'cover.mediaType', label: 'cover type', isDetail: true },
    { field: 'cover.width', label: 'cover width', isDetail: true },
    { field: 'cover.height', label: 'cover height', isDetail: true },
    { field: 'trackCount', isDetail: true },
    { field: 'duration', isDetail: true },
    { field: 'drm', isDetail: true },
    { field: 'problems.message', label: 'problems' },
    { field: 'problems.severity', label: 'severity' },
    { field: 'problems.place', label: 'place' },
    { field: 'problems.code', label: 'code' },
    { field: 'problems.hint', label: 'hint' },
  ],
  fields: () =>
    new Set([
      ...'file type mediaType title titles titles.* authors creators creators.* language isbn publisher'.split(
        ' ',
      ),
      ...'description identifier epubVersion isReflowable layout spread cover cover.* navigation'.split(' '),
      ...'navigation.* pageCount duration trackCount drm problems problems.*'.split(' '),
    ]),
}

/** What a terminal leaves out of its table where it is narrow. */
const minor = ['authors', 'language', 'isbn', 'layout']

/** At a terminal a verdict stands in the table, and the problems below it, because they are too long for a cell. */
const terminalView: View = {
  ...view,
  columns: [
    ...view.columns
      .filter(({ field }) => !field.startsWith('problems.'))
      .map(column => ({
        ...column,
        ...(column.field === 'file' && { isMain: true }),
        ...(minor.includes(column.field) && { isMinor: true }),
      })),
    { field: 'verdict', isCutLast: true },
  ],
}

export function register(group: Command, run: Run): void {
  about(
    namingOptions(
      group
        .argument('[file...]', bookFiles)
        .option('--strict', 'end with exit code 2 for warnings as well as for errors')
        .addOption(typeOption())
        .option('--accessibility', 'show what books say of their accessibility, the worst first')
        .option('--report <file>', 'with --accessibility: write it to a .html, .csv or .json file')
        .option('--epubcheck', 'run EPUBCheck as well, which must be installed')
        .option('--ace', 'run Ace as well, which must be installed'),
    ),
    {
      does: 'reads',
      writesTo: ['--report'],
      examples: [
        'inspect book.epub',
        'inspect books/ --recursive -o csv',
        'inspect book.epub --json --query "problems[].message"',
        'inspect books/ --accessibility --report catalogue.html',
      ],
      isLocal: true,
    },
  ).action(
    run(async (context, inputs, { strict, type, accessibility, report, epubcheck, ace, ...naming }) => {
      const checkers = { epubcheck, ace }
      if (accessibility) {
        for (const name of ['epubcheck', 'ace'] as const) {
          if (checkers[name])
            throw new UsageFailure(`--${name} cannot be used with --accessibility`, {
              hint: 'Run the two one after the other.',
            })
        }
        const { inspectAccessibility } = await import('./accessibility.ts')
        const found = await inspectAccessibility(context, inputs, { ...naming, report, type }, view)
        return refuseUnfit(found.books, found.unread, strict === true)
      }
      if (report !== undefined)
        throw new UsageFailure('--report works with --accessibility only', { hint: 'Add --accessibility.' })
      await context.check(view)
      const { namedBooks } = await import('./named-books.ts')
      const named = await namedBooks(inputs, naming, context.world)
      const check = await checksOf(checkers, context, !named.isList)
      const { examineBook } = await import('../../books/examine.ts')
      const listsProblems = showsFullTable(context)
      const books: ExaminedBook[] = []
      const read = async (file: string): Promise<ExaminedBook> => {
        const book = await examineBook(file, context.world.mayRead, { type, check })
        books.push(book)
        return book
      }
      const withVerdict = async (file: string) => {
        const book = await read(file)
        return { ...book, verdict: problemCounts(book.problems) }
      }
      const unreadRow = (file: string) => ({ file, verdict: 'cannot be read' })
      const { unread } = listsProblems
        ? await showEach(context, terminalView, named, withVerdict, unreadRow)
        : await showEach(
            context,
            view,
            named,
            context.format === 'csv' ? async file => rowsOf(await read(file)) : read,
          )
      if (listsProblems) await printProblems(context, books)
      refuseUnfit(books, unread, strict === true)
    }),
  )
}

/** A row for each problem of a book, and one for a book without any. */
const rowsOf = (book: ExaminedBook): object[] =>
  book.problems.length === 0 ? [book] : book.problems.map(problems => ({ ...book, problems }))

/** The checks of other programs that are asked for; they are loaded only then. */
async function checksOf(
  checkers: { epubcheck: true | undefined; ace: true | undefined },
  context: Context,
  isAlone: boolean,
): Promise<Check> {
  if (!checkers.epubcheck && !checkers.ace) return async () => []
  const { outsideChecks } = await import('../../books/outside-checks.ts')
  const check = await outsideChecks(checkers, context.world)
  // They take seconds, and of several books the progress is shown anyway.
  if (!isAlone || !context.err.isTerminal) return check
  return async (file, book) => {
    const progress = await context.progress()
    progress.state(`checking ${file}`)
    try {
      return await check(file, book)
    } finally {
      progress.stop()
    }
  }
}
