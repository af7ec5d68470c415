import {
  type AccessibilityState,
  accessibilityStates,
  describeAccessibility,
} from '../../books/accessibility/index.ts'
import { quotedText } from '../../books/book.ts'
import type { Context } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'
import { bookRowsOf, type Inspected, stateOf, worstFirst } from '../../inspect/accessibility-report/rows.ts'
import { accessibilityView } from '../../inspect/accessibility-report/view.ts'
import { groupNames, stateNames } from '../../inspect/accessibility-report/words.ts'
import { tallied } from '../../inspect/tallied.ts'
import {
  type DescribeOptions,
  type InspectSubject,
  inspectDescribed,
  type Remark,
} from './described-books.ts'

/**
 * Shows what books say of their accessibility, several with the worst first, and writes the report. Throws the failure of
 * `inspect` if books are unfit or cannot be read.
 */
export const inspectAccessibility = (
  context: Context,
  inputs: readonly string[],
  options: DescribeOptions,
  { fields }: Pick<View, 'fields'>,
): Promise<void> =>
  inspectDescribed(context, inputs, options, { ...subject, view: kind => accessibilityView(kind, fields) })

const loadReport = () => import('../../inspect/accessibility-report/index.ts')

const subject: Omit<InspectSubject<Inspected>, 'view'> = {
  reads: { accessibility: true },
  prepare: async () => async books =>
    books.map(book => ({ ...book, accessibility: describeAccessibility(book) ?? null })).sort(worstFirst),
  remarksOn: (book, isAlone) => remarksOn(book, isAlone),
  tallyOf: (books, unread) => tallyOf(books, unread),
  checkReport: async path => (await loadReport()).checkAccessibilityReport(path),
  writeReport: async (path, books, unread, about) =>
    (await loadReport()).writeAccessibilityReport(path, bookRowsOf(books, unread), about),
}

/** The most unknown values that have a line each. */
const unknownLimit = 20

/** A line for each contradiction; of a book alone, also for what is missing, unknown or was not looked at. */
function remarksOn({ file, accessibility }: Inspected, isAlone: boolean): Remark[] {
  if (!accessibility) return []
  const { contradictions, missing, unknownValues, content, onix } = accessibility
  const found: Remark[] = contradictions.map(({ message, place }) => ({
    kind: 'contradiction',
    tone: 'red',
    text: [...(isAlone ? [] : [file]), ...(place === undefined ? [] : [place]), message].join(': '),
  }))
  if (!isAlone) return found
  const others = [
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
  return [...found, ...others.map((each): Remark => ({ ...each, tone: 'yellow' }))]
}

function tallyOf(books: readonly Inspected[], unread: number): string {
  const states = [...Array<AccessibilityState>(unread).fill('unread'), ...books.map(stateOf)]
  return tallied(accessibilityStates, states, { one: stateNames, several: groupNames })
}
