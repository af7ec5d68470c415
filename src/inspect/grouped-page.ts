import { basename } from 'node:path'
import { dayLabel } from '../pages/charts/month-label.ts'
import { cutValue } from '../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import { contents, figures, table } from '../pages/parts.ts'
import type { About } from './about.ts'
import type { ReportRow } from './report-row.ts'

/** A page of books in groups, such as those with errors and those without. */
interface GroupedPage<State extends string, Row> {
  readonly title: string
  /** The sentences below the title, from what was read, such as `3 files in books`, and the day. */
  readonly lead: (files: Html, day: string) => Html
  /** The groups in their order. */
  readonly states: readonly State[]
  readonly stateOf: (row: Row) => State
  readonly titles: Readonly<Record<State, readonly [title: string, caption: string]>>
  /** What the headline figures are called, such as `with errors`. */
  readonly labels: Readonly<Record<State, string>>
  /** What stands between the figures and the groups. */
  readonly summary?: Html | undefined
  /** What the table of a group has beside the book. */
  readonly columns: readonly BookColumn<Row>[]
  readonly footer: Html
}

interface BookColumn<Row> {
  readonly title: string
  readonly size?: 'small' | 'medium' | 'large'
  readonly cell: (row: Row) => PageValue
}

/** Rows about books as a page with a table for each group that has any. */
export function groupedPage<State extends string, Row extends ReportRow>(
  rows: readonly Row[],
  { inputs, now, program }: About,
  { title, lead, states, stateOf, titles, labels, summary, columns, footer }: GroupedPage<State, Row>,
): string {
  const groups = states.map(state => ({
    id: state,
    title: titles[state][0],
    caption: titles[state][1],
    label: labels[state],
    rows: rows.filter(row => stateOf(row) === state),
  }))
  const shown = groups.filter(group => group.rows.length > 0)
  const files = html`${number(rows.length)} ${rows.length === 1 ? 'file' : 'files'} in <b>${cutValue(inputs.slice(0, 3).join(', '))}</b>${inputs.length > 3 && ' and elsewhere'}`
  return page({
    title,
    lead: lead(files, dayLabel(new Date(now).toISOString().slice(0, 10))),
    body: html`${figures([
      { label: rows.length === 1 ? 'file' : 'files', value: rows.length },
      ...groups.map(group => ({ label: group.label, value: group.rows.length })),
    ])}
${contents(
  'Groups of books',
  shown.map(group => ({ ...group, count: group.rows.length })),
)}
${summary}
${shown.map(
  group => html`<section><h2 id="${group.id}">${group.title} (${number(group.rows.length)})</h2>
${tableOf(group, columns)}</section>`,
)}`,
    footer: html`${footer} Made by ${program}.`,
  })
}

/** A group in which no book could be read says why, and nothing else is known of it. */
function tableOf<Row extends ReportRow>(
  {
    title,
    caption,
    rows,
  }: { readonly title: string; readonly caption: string; readonly rows: readonly Row[] },
  columns: readonly BookColumn<Row>[],
): Html {
  if (rows.every(({ error }) => error !== undefined)) {
    return table(
      { name: title, caption },
      [{ title: 'File', size: 'medium' }, { title: 'Why' }],
      rows.map(row => [bookCell(row), cutValue(row.error?.message ?? '')]),
    )
  }
  return table(
    { name: title, caption },
    [{ title: 'Book', size: 'medium' }, ...columns],
    rows.map(row => [bookCell(row), ...columns.map(({ cell }) => cell(row))]),
  )
}

const bookCell = ({ file, title, type, isbn }: ReportRow): Html =>
  html`<span dir="auto">${cutValue(title ?? basename(file))}</span><span class="file">${cutValue(file)}</span>${type && html`<span class="file">${type} ${isbn}</span>`}`

/** The most entries of a list in a cell; more are counted. */
const listLimit = 20

/** The entries of a list for a cell, and how many more there are. */
export const cutList = (all: readonly PageValue[]): PageValue[] =>
  all.length <= listLimit
    ? [...all]
    : [...all.slice(0, listLimit), `and ${number(all.length - listLimit)} more`]

const number = (value: number): string => value.toLocaleString('en')
