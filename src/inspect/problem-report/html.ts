import type { Problem } from '../../books/book.ts'
import { placeText } from '../../books/problems.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { html, type PageValue } from '../../pages/html.ts'
import { badge, plainList, type Tone } from '../../pages/parts.ts'
import { checkersOf } from '../../system/checked-by.ts'
import type { About } from '../about.ts'
import { groupedPage } from '../grouped-page.ts'
import { type CheckedRow, type CheckedState, checkedStateOf, checkedStates, checkedWords } from './rows.ts'

const groupTexts: Readonly<Record<CheckedState, readonly [title: string, caption: string]>> = {
  unread: ['Could not be read', 'These files are no books, or too damaged to be read.'],
  error: ['Have errors', 'Readers would not get these books, or not all of them.'],
  warning: ['Have warnings', 'Readers get these books, but something in them is wrong.'],
  information: ['Have remarks', 'Nothing has to be done about these books.'],
  none: ['Have no problems', 'Nothing was found in what pubctl looks at.'],
}

/** The problems of books as a page, the gravest first. */
export function checkedPage(rows: readonly CheckedRow[], about: About): string {
  const checkers = checkersOf(rows)
  return groupedPage(rows, about, {
    title: 'Problems of books',
    lead: (files, day) =>
      html`What pubctl found in ${files} on ${day}. ${checkers.length > 0 && html`Checked by ${cutValue(checkers.join(' and '))} as well.`}`,
    states: checkedStates,
    stateOf: checkedStateOf,
    titles: groupTexts,
    labels: checkedWords,
    columns: [{ title: 'What is wrong', cell: problemsCell }],
    footer: html`Errors stop an upload, and warnings stop it with --strict.`,
  })
}

const badges: Readonly<Record<Problem['severity'], readonly [Tone, string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  information: ['plain', 'Remark'],
}

function problemsCell({ problems }: CheckedRow): PageValue {
  return plainList(
    problems.map(
      ({ severity, message, place, column, hint, known }) =>
        html`${known ? badge('plain', `Known ${known}`) : badge(...badges[severity])} ${cutValue(message)} ${hint !== undefined && html`<span class="quiet">${hint}</span>`}${place !== undefined && html`<span class="file">${cutValue(placeText({ place, column }) ?? '')}</span>`}`,
    ),
  )
}
