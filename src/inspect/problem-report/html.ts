import { basename } from 'node:path'
import type { Problem } from '../../books/book.ts'
import { dayLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, contents, figures, plainList, type Tone, table } from '../../pages/parts.ts'
import type { About } from '../about.ts'
import { type CheckedRow, type CheckedState, checkedStateOf, checkedStates } from './rows.ts'

const sectionTexts: Readonly<Record<CheckedState, readonly [title: string, label: string, text: string]>> = {
  unread: ['Could not be read', 'could not be read', 'These files are no books, or too damaged to be read.'],
  error: ['Have errors', 'with errors', 'Readers would not get these books, or not all of them.'],
  warning: ['Have warnings', 'with warnings', 'Readers get these books, but something in them is wrong.'],
  information: ['Have remarks', 'with remarks', 'Nothing has to be done about these books.'],
  none: ['Have no problems', 'without problems', 'Nothing was found in what pubctl looks at.'],
}

/** The problems of books as a page, the gravest first. */
export function checkedPage(rows: readonly CheckedRow[], { inputs, now, program }: About): string {
  const groups = checkedStates
    .map(state => ({ state, rows: rows.filter(row => checkedStateOf(row) === state) }))
    .filter(group => group.rows.length > 0)
  return page({
    title: 'Problems of books',
    lead: html`What pubctl found in ${number(rows.length)} ${rows.length === 1 ? 'file' : 'files'} in <b>${cutValue(inputs.slice(0, 3).join(', '))}</b>${inputs.length > 3 && ' and elsewhere'} on ${dayLabel(new Date(now).toISOString().slice(0, 10))}.`,
    body: html`${figures([
      { label: rows.length === 1 ? 'file' : 'files', value: rows.length },
      ...groups.map(({ state, rows: own }) => ({ label: sectionTexts[state][1], value: own.length })),
    ])}
${contents(
  'Groups of books',
  groups.map(({ state, rows: own }) => ({ id: state, title: sectionTexts[state][0], count: own.length })),
)}
${groups.map(group => section(group.state, group.rows))}`,
    footer: html`Errors stop an upload, and warnings stop it with --strict. Made by ${program}.`,
  })
}

function section(state: CheckedState, rows: readonly CheckedRow[]): Html {
  const [title, , caption] = sectionTexts[state]
  const columns = [{ title: 'Book', size: 'medium' } as const]
  const cells =
    state === 'none'
      ? table(
          { name: title, caption },
          columns,
          rows.map(row => [bookCell(row)]),
        )
      : table(
          { name: title, caption },
          [...columns, { title: 'What is wrong' }],
          rows.map(row => [bookCell(row), row.error ? cutValue(row.error.message) : problemsCell(row)]),
        )
  return html`<section><h2 id="${state}">${title} (${number(rows.length)})</h2>
${cells}</section>`
}

const bookCell = ({ file, title, type, isbn }: CheckedRow): Html =>
  html`<span dir="auto">${cutValue(title ?? basename(file))}</span><span class="file">${cutValue(file)}</span>${type && html`<span class="file">${type} ${isbn}</span>`}`

const badges: Readonly<Record<Problem['severity'], readonly [Tone, string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  information: ['plain', 'Remark'],
}

const problemsCell = ({ problems }: CheckedRow): PageValue =>
  plainList(
    problems.map(
      ({ severity, message, place, hint }) =>
        html`${badge(...badges[severity])} ${cutValue(message)} ${hint !== undefined && html`<span class="quiet">${hint}</span>`}${place !== undefined && html`<span class="file">${cutValue(place)}</span>`}`,
    ),
  )

const number = (value: number): string => value.toLocaleString('en')
