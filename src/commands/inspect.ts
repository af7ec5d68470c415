import type { Command } from '@commander-js/extra-typings'
import type { Book, Problem } from '../books/index.ts'
import { about } from '../cli/about.ts'
import { forEach } from '../cli/for-each.ts'
import { showsFullTable } from '../cli/output-kind.ts'
import type { Context, Run } from '../context.ts'
import { exitCodes, Failure, type FailureDetail } from '../errors.ts'
import { neutraliseLine } from '../output/neutralise.ts'
import type { Column, View } from '../output/view.ts'
import { wrap } from '../output/wrap.ts'

const problems: Column = { field: 'problems.message', label: 'problems' }

const view: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'type' },
    { field: 'title' },
    { field: 'authors' },
    { field: 'language' },
    { field: 'isbn', isWhole: true },
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
    problems,
  ],
  fields: () =>
    new Set([
      ...'file type mediaType title titles titles.* authors creators creators.* language isbn publisher'.split(
        ' ',
      ),
      ...'description identifier epubVersion isReflowable layout spread cover cover.* navigation'.split(' '),
      ...'navigation.* pageCount duration trackCount drm problems problems.*'.split(' '),
    ]),
  empty: '',
}

/** At a terminal the problems are printed below the table, because they are too long for a cell. */
const terminalView: View = { ...view, columns: view.columns.filter(column => column !== problems) }

type Inspected = Book & { readonly file: string }

export function register(group: Command, run: Run): void {
  about(group.argument('<file...>', 'EPUB, PDF or LPF files'), {
    examples: [
      'inspect book.epub',
      'inspect *.epub -o csv',
      'inspect book.epub --json --query "problems[].message"',
    ],
    isLocal: true,
  })
    .option('--strict', 'end with exit code 2 for warnings as well as for errors')
    .action(
      run(async (context, files, { strict }) => {
        await context.check(view)
        const { readBook } = await import('../books/index.ts')
        const listsProblems = showsFullTable(context)
        const books: Inspected[] = []
        let unread: readonly FailureDetail[] = []
        try {
          await forEach(context, listsProblems ? terminalView : view, files, async file => {
            const book = { file, ...(await readBook(file)) }
            books.push(book)
            return book
          })
        } catch (error) {
          if (!(error instanceof Failure) || error.code !== 'part_failed') throw error
          unread = error.details ?? []
        } finally {
          if (listsProblems) await printProblems(context, books)
        }
        const unfit = books.filter(({ problems }) => problems.some(isGrave(strict === true)))
        if (unfit.length + unread.length > 0)
          throw unfitBooks(unfit, unread, books.length + unread.length, strict === true)
      }),
    )
}

const isGrave =
  (isStrict: boolean) =>
  ({ severity }: Problem): boolean =>
    isStrict || severity === 'error'

/** Prints a line for each problem. */
async function printProblems({ out }: Context, books: readonly Inspected[]): Promise<void> {
  const lines = books.flatMap(({ file, problems }) =>
    problems.map(({ severity, place, message }) => {
      const where = place === undefined ? '' : `${place}: `
      const text = wrap(neutraliseLine(`${severity}: ${file}: ${where}${message}`), out.width, '  ')
      return `${out.paint(severity === 'error' ? 'red' : 'yellow', severity)}${text.slice(severity.length)}\n`
    }),
  )
  if (lines.length > 0) await out.styled(`\n${lines.join('')}`)
}

/** `unread` are the files that are no book at all, or too damaged to be read as one. */
function unfitBooks(
  unfit: readonly Inspected[],
  unread: readonly FailureDetail[],
  count: number,
  isStrict: boolean,
): Failure {
  const [only] = unfit
  const what = isStrict ? 'problems' : 'errors'
  const message =
    count === 1 && only
      ? `${only.file} has ${what}`
      : `${unfit.length + unread.length} of ${count} books have ${what}`
  return new Failure(message, {
    code: 'book_unfit',
    exitCode: exitCodes.usage,
    hint: 'Repair what is listed; "publications upload" stops at it as well.',
    ...(unread.length === 0 ? {} : { details: [...unread] }),
  })
}
