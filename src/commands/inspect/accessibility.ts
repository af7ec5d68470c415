import {
  type AccessibilityState,
  accessibilityStates,
  describeAccessibility,
} from '../../books/accessibility/index.ts'
import { quotedText } from '../../books/book.ts'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { createCountProgress } from '../../cli/output/count-progress.ts'
import { neutraliseLine } from '../../cli/output/neutralise.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import type { View } from '../../cli/output/view.ts'
import { wrap } from '../../cli/output/wrap.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { bookRowsOf, type Inspected, stateOf, worstFirst } from '../../inspect/accessibility-report/rows.ts'
import { accessibilityView } from '../../inspect/accessibility-report/view.ts'
import { groupNames, stateNames } from '../../inspect/accessibility-report/words.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import { Failure, type FailureDetail, isFatal } from '../../system/errors.ts'
import { userAgent } from '../../system/version.ts'
import type { NamingOptions } from '../../uploads/inputs/named-files.ts'
import { printProblems } from '../../uploads/options/book-problems.ts'
import { namedBooks } from './named-books.ts'

interface AccessibilityOptions extends NamingOptions {
  readonly report?: string | undefined
  readonly type?: PublicationType | undefined
}

/**
 * Shows what books say of their accessibility, several with the worst first, and writes the report. Returns the books and
 * the files that could not be read as books.
 */
export async function inspectAccessibility(
  context: Context,
  inputs: readonly string[],
  options: AccessibilityOptions,
  { fields }: Pick<View, 'fields'>,
): Promise<{ books: Inspected[]; unread: readonly FailureDetail[] }> {
  await context.check(accessibilityView('all', fields))
  const report =
    options.report === undefined ? undefined : await import('../../inspect/accessibility-report/index.ts')
  if (options.report !== undefined) report?.checkAccessibilityReport(options.report)
  const { files, isList } = await namedBooks(inputs, options, context.world)
  const { books, failures } = await readAll(context, files, options.type)
  const unread = failures.length === 0 ? [] : (partFailed(failures, files.length).details ?? [])

  if (options.report !== undefined) {
    const rows = hideInside(bookRowsOf(books, unread), context.err.hide)
    report?.writeAccessibilityReport(options.report, rows, {
      inputs: hideInside(inputs, context.err.hide),
      now: context.world.clock.now(),
      program: userAgent.replace('/', ' '),
    })
  }
  const [first] = books
  const showsTable = showsFullTable(context)
  if (!isList) {
    if (first === undefined) throw failures[0]?.failure
    await context.item(accessibilityView(showsTable ? 'card' : 'all', fields), first)
  } else if (!showsTable || options.report === undefined) {
    // A table of a thousand books would push the tally off the screen, and the report has it.
    await context.list(accessibilityView(context.format === 'csv' ? 'all' : 'table', fields), [books])
  }
  if (showsTable && (!isList || options.report === undefined)) {
    await printRemarks(context, books, !isList)
    await printProblems(context, books.map(withoutWarnings))
  }
  if (isList) await context.note(`${tallyOf(books, unread.length)}.`)
  if (options.report !== undefined) await context.note(`The report is in ${options.report}.`)
  return { books, unread }
}

/** What ends the command with an exit code; warnings would hide what was asked for. */
const withoutWarnings = ({ file, problems }: Inspected) => ({
  file,
  problems: problems.filter(({ severity }) => severity === 'error'),
})

async function readAll(
  context: Context,
  files: readonly string[],
  type: PublicationType | undefined,
): Promise<{ books: Inspected[]; failures: { id: string; failure: Failure }[] }> {
  const { checkType, readBook } = await import('../../books/index.ts')
  const books: Inspected[] = []
  const failures: { id: string; failure: Failure }[] = []
  const count =
    files.length > 1
      ? createCountProgress(await context.progress(), context.err, context.world.clock)
      : undefined
  try {
    for (const [done, file] of files.entries()) {
      context.world.signal.throwIfAborted()
      count?.show('reading books', done, files.length)
      try {
        const book = await readBook(file, context.world.mayRead, { accessibility: true, outline: true })
        const problems = [...checkType(file, book, type), ...book.problems]
        books.push({ file, ...book, problems, accessibility: describeAccessibility(book) ?? null })
      } catch (error) {
        if (!(error instanceof Failure) || isFatal(error)) throw error
        failures.push({ id: file, failure: error })
      }
    }
  } finally {
    count?.stop()
  }
  return { books: books.sort(worstFirst), failures }
}

/** Prints a line for each contradiction; of a book alone, also for what is missing, unknown or was not looked at. */
async function printRemarks({ out }: Context, books: readonly Inspected[], isAlone: boolean): Promise<void> {
  const lines = books.flatMap(({ file, accessibility }) =>
    remarksOn({ file, accessibility }, isAlone).map(({ kind, text }) => {
      const line = wrap(neutraliseLine(`${kind}: ${text}`), out.width, '  ')
      return `${out.paint(kind === 'contradiction' ? 'red' : 'yellow', kind)}${line.slice(kind.length)}\n`
    }),
  )
  if (lines.length > 0) await out.styled(`\n${lines.join('')}`)
}

/** The most unknown values that have a line each. */
const unknownLimit = 20

function remarksOn(
  { file, accessibility }: Pick<Inspected, 'file' | 'accessibility'>,
  isAlone: boolean,
): { kind: string; text: string }[] {
  if (!accessibility) return []
  const { contradictions, missing, unknownValues, content, onix } = accessibility
  const found = contradictions.map(({ message, place }) => ({
    kind: 'contradiction',
    text: [...(isAlone ? [] : [file]), ...(place === undefined ? [] : [place]), message].join(': '),
  }))
  if (!isAlone) return found
  return [
    ...found,
    ...missing.map(({ level, property, message }) => ({
      kind: 'missing',
      text: `${property} (${level}): ${message}`,
    })),
    ...unknownValues.slice(0, unknownLimit).map(({ property, value }) => ({
      kind: 'unknown value',
      text: `${property}: ${quotedText(value)}`,
    })),
    ...(unknownValues.length > unknownLimit
      ? [{ kind: 'unknown value', text: `${unknownValues.length - unknownLimit} more.` }]
      : []),
    ...(content && content.unseenDocuments > 0
      ? [
          {
            kind: 'not looked at',
            text: `${content.unseenDocuments} of ${content.documents + content.unseenDocuments} content documents, because they are too many, too large, encrypted or unreadable.`,
          },
        ]
      : []),
    ...onix.list196Conditional.map(({ code, label, condition }) => ({
      kind: 'perhaps',
      text: `ONIX list 196 code ${code}, ${label}: ${condition}.`,
    })),
  ]
}

function tallyOf(books: readonly Inspected[], unread: number): string {
  const states = [...Array<AccessibilityState>(unread).fill('unread'), ...books.map(stateOf)]
  return accessibilityStates
    .map(state => ({ state, count: states.filter(each => each === state).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) => `${count.toLocaleString('en')} ${(count === 1 ? stateNames : groupNames)[state]}`,
    )
    .join(', ')
}
