import { basename } from 'node:path'
import {
  type AccessibilityState,
  accessibilityStates,
  type Missing,
} from '../../books/accessibility/index.ts'
import { dayLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, contents, figures, plainList, share, table } from '../../pages/parts.ts'
import type { About } from '../about.ts'
import type { BookRow } from './rows.ts'
import { groupNames, saysNothing, sections } from './words.ts'

const sectionTexts: Readonly<Record<AccessibilityState, readonly [title: string, text: string]>> = {
  unread: ['Could not be read', 'Nothing is known about these files.'],
  undeclared: [
    'Say nothing of accessibility',
    'These books have no accessibility metadata, or are PDFs without tags.',
  ],
  contradictory: [
    'Contradict themselves',
    'What these books say cannot all be true, or their content shows that it is not.',
  ],
  incomplete: [
    'Leave out something that is required',
    'These books say something, but not all that the standard requires.',
  ],
  declared: ['Say all that is required', 'What these books say is complete and free of contradictions.'],
}

/** The accessibility of a catalogue as a page, the worst books first. */
export function accessibilityPage(rows: readonly BookRow[], { inputs, now, program }: About): string {
  const inState = (state: AccessibilityState) => rows.filter(row => row.state === state)
  const groups = accessibilityStates
    .map(state => ({ state, rows: inState(state) }))
    .filter(group => group.rows.length > 0)
  const day = new Date(now).toISOString().slice(0, 10)
  return page({
    title: 'Accessibility of the catalogue',
    lead: html`What ${count(rows.length, 'file')} in <b>${cutValue(inputs.slice(0, 3).join(', '))}</b>${inputs.length > 3 && ' and elsewhere'} ${rows.length === 1 ? 'says' : 'say'} of accessibility, read on ${dayLabel(day)}. These are claims; nobody has checked them by reading the books.`,
    body: html`${figures([
      { label: rows.length === 1 ? 'file' : 'files', value: rows.length },
      ...accessibilityStates.map(state => ({ label: groupNames[state], value: inState(state).length })),
    ])}
${contents(
  'Groups of books',
  groups.map(({ state, rows: own }) => ({ id: state, title: sectionTexts[state][0], count: own.length })),
)}
${missingMost(rows)}
${groups.map(group => section(group.state, group.rows))}`,
    footer: html`Statements are those of the W3C's Accessibility Metadata Display Guide for Digital Publications 2.0; ONIX codes are those of list 196 that follow by the W3C's crosswalk. Made by ${program}.`,
  })
}

/** How many books leave out each property. */
function missingMost(rows: readonly BookRow[]): Html | undefined {
  const counts = new Map<string, Missing & { books: number }>()
  for (const { accessibility } of rows) {
    for (const each of accessibility?.missing ?? []) {
      const known = counts.get(each.property)
      if (known) known.books += 1
      else counts.set(each.property, { ...each, books: 1 })
    }
  }
  if (counts.size === 0) return undefined
  const sorted = [...counts.values()].sort((a, b) => b.books - a.books)
  return html`<section><h2 id="missing">What is missing most</h2>
${table(
  { name: 'What is missing most', caption: 'How many files leave out each property.' },
  [
    { title: 'Property', size: 'medium' },
    { title: 'What that means', size: 'large' },
    { title: 'Files', isNumber: true, size: 'small' },
    { title: 'Share of all files', size: 'medium' },
  ],
  sorted.map(({ property, level, message, books }) => [
    html`${property} ${levelBadge(level)}`,
    message,
    number(books),
    share(books / rows.length),
  ]),
)}</section>`
}

const levelBadge = (level: Missing['level']): Html =>
  level === 'required' ? badge('warn', 'Required') : badge('plain', 'Recommended')

function section(state: AccessibilityState, rows: readonly BookRow[]): Html {
  const [title, caption] = sectionTexts[state]
  const cells =
    state === 'unread'
      ? table(
          { name: title, caption },
          [{ title: 'File', size: 'medium' }, { title: 'Why' }],
          rows.map(row => [bookCell(row), wrong(row)]),
        )
      : table(
          { name: title, caption },
          [
            { title: 'Book', size: 'medium' },
            { title: 'What is wrong', size: 'large' },
            { title: 'What it says' },
            { title: 'ONIX list 196', size: 'small' },
          ],
          rows.map(row => [bookCell(row), wrong(row), said(row), codes(row)]),
        )
  return html`<section><h2 id="${state}">${title} (${number(rows.length)})</h2>
${cells}</section>`
}

const bookCell = ({ file, title, type, isbn }: BookRow): Html =>
  html`<span dir="auto">${cutValue(title ?? basename(file))}</span><span class="file">${cutValue(file)}</span>${type && html`<span class="file">${type} ${isbn}</span>`}`

/** The most entries of a list in a cell; more are counted. */
const listLimit = 20

function wrong({ accessibility, error }: BookRow): PageValue {
  if (!accessibility) return error && cutValue(error.message)
  const { contradictions, missing, unknownValues, content } = accessibility
  const named = (level: 'required' | 'recommended') =>
    missing.filter(each => each.level === level).map(({ property }) => property)
  const required = named('required')
  const recommended = named('recommended')
  return plainList([
    ...limited(
      contradictions.map(
        ({ message, place }) =>
          html`${badge('bad', 'Contradiction')} ${message}${place !== undefined && html`<span class="file">${cutValue(place)}</span>`}`,
      ),
    ),
    ...(required.length > 0 ? [html`${badge('warn', 'Missing, required')} ${required.join(', ')}`] : []),
    ...(recommended.length > 0
      ? [html`${badge('plain', 'Missing, recommended')} ${recommended.join(', ')}`]
      : []),
    ...limited(
      unknownValues.map(
        ({ property, value }) => html`${badge('warn', 'Unknown value')} ${property}: ${cutValue(value)}`,
      ),
    ),
    ...(content && content.unseenDocuments > 0
      ? [html`${badge('plain', 'Not looked at')} ${count(content.unseenDocuments, 'document')}`]
      : []),
  ])
}

function said({ accessibility }: BookRow): PageValue {
  if (!accessibility) return undefined
  const { statements, pdf } = accessibility
  const lines = sections.flatMap(([name, title]) => {
    const known = statements[name].filter(statement => !saysNothing(statement))
    return known.length === 0
      ? []
      : [
          html`<span class="quiet">${title}:</span> ${limited(known.map(each => html`<bdi>${cutValue(each)}</bdi>`)).map((each, index) => [index > 0 && '; ', each])}`,
        ]
  })
  if (pdf) lines.push(html`<span class="quiet">PDF:</span> ${pdf.isTagged ? 'tagged' : 'not tagged'}`)
  return plainList(lines)
}

function codes({ accessibility }: BookRow): PageValue {
  if (!accessibility) return undefined
  const { list196, list196Conditional } = accessibility.onix
  const distinct = [...new Set(list196.map(({ code }) => code))]
  const maybe = [...new Set(list196Conditional.map(({ code }) => code))]
  return [
    distinct.join(', '),
    maybe.length > 0 && html`<span class="file">perhaps ${maybe.join(', ')}</span>`,
  ]
}

const limited = (all: readonly PageValue[]): PageValue[] =>
  all.length <= listLimit
    ? [...all]
    : [...all.slice(0, listLimit), `and ${number(all.length - listLimit)} more`]

const number = (value: number): string => value.toLocaleString('en')

const count = (value: number, thing: string): string => `${number(value)} ${thing}${value === 1 ? '' : 's'}`
