import { knownCount } from '../../books/baseline/known.ts'
import type { Book, Problem } from '../../books/index.ts'
import { placeText } from '../../books/problems.ts'
import type { Context } from '../../cli/context.ts'
import { neutraliseLine } from '../../cli/output/neutralise.ts'
import { withShortLists } from '../../cli/output/short-lists.ts'
import { wrap } from '../../cli/output/wrap.ts'
import { exitCodes, Failure, type FailureDetail } from '../../system/errors.ts'

/** A file with what was found wrong with its book. */
type Inspected = Pick<Book, 'problems'> & { readonly file: string }

/** The codes of problems that say that something of a book was not looked at. */
const unread = ['not_examined', 'encryption_unknown', 'pdf_unexamined']

/** How many errors and warnings a book has, in words, how many are known, and whether it was not read whole. */
export function problemCounts(problems: readonly Problem[]): string {
  const counts = ['error', 'warning'].flatMap(severity => {
    const all = problems.filter(problem => problem.severity === severity)
    const { length } = all.filter(({ code }) => code !== 'more_problems')
    if (all.length === 0) return []
    return `${length < all.length ? 'over ' : ''}${length} ${severity}${length === 1 ? '' : 's'}`
  })
  const known = knownCount(problems)
  if (known > 0) counts.push(`${known} known`)
  if (problems.some(({ code }) => unread.includes(code))) counts.push('not all read')
  return counts.join(', ') || 'no problems'
}

/**
 * Prints a line for each problem, below the name of its book if there are several; the books with errors come first. Known
 * ones are counted in a remark among them, and not listed.
 */
export async function printProblems({ out }: Context, books: readonly Inspected[]): Promise<void> {
  const troubled = books.filter(({ problems }) => problems.length > 0)
  const sorted = [...troubled.filter(hasErrors), ...troubled.filter(book => !hasErrors(book))]
  const blocks = sorted.map(({ file, problems }) => {
    const heading =
      books.length > 1 ? `${wrap(neutraliseLine(`${file}: ${problemCounts(problems)}`), out.width)}\n` : ''
    const shown = problems.filter(({ known }) => known === undefined)
    return heading + shown.map(problem => lineOf(out, problem, books.length > 1 ? '  ' : '')).join('')
  })
  if (blocks.length > 0) await out.styled(`\n${blocks.join('\n')}`)
}

const hasErrors = ({ problems }: Inspected): boolean => problems.some(({ severity }) => severity === 'error')

const colours = { error: 'red', warning: 'yellow', information: 'cyan' } as const

function lineOf(out: Context['out'], problem: Problem, margin: string): string {
  const { severity, message, hint } = problem
  const place = placeText(problem)
  const where = place === undefined ? '' : `${place}: `
  const text = neutraliseLine(
    `${severity}: ${where}${withShortLists(message)}${hint === undefined ? '' : ` ${hint}`}`,
  )
  const wrapped = wrap(margin + text, out.width, `${margin}  `).slice(margin.length + severity.length)
  return `${margin}${out.paint(colours[severity], severity)}${wrapped}\n`
}

/**
 * Throws the failure of `inspect` if there are books with errors, or with warnings too if it is strict. `unread` are the
 * files that are no book at all, or too damaged to be read as one.
 */
export function refuseUnfit(
  books: readonly Inspected[],
  unread: readonly FailureDetail[],
  isStrict: boolean,
  hint = 'Repair what is listed; "publications upload" stops at it as well.',
): void {
  const isGrave = ({ severity }: Problem) => severity === 'error' || (isStrict && severity === 'warning')
  const unfit = books.filter(({ problems }) => problems.some(isGrave))
  if (unfit.length + unread.length === 0) return
  const count = books.length + unread.length
  const [only] = unfit
  const what = isStrict ? 'problems' : 'errors'
  const message =
    count === 1 && only
      ? `${only.file} has ${what}`
      : `${unfit.length + unread.length} of ${count} books have ${what}`
  throw new Failure(message, {
    code: 'book_unfit',
    exitCode: exitCodes.usage,
    hint,
    ...(unread.length === 0 ? {} : { details: [...unread] }),
  })
}
