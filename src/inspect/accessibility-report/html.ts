import {
  type AccessibilityState,
  accessibilityStates,
  type Missing,
} from '../../books/accessibility/index.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { badge, plainList, share, table } from '../../pages/parts.ts'
import { counted } from '../../system/counted.ts'
import type { About } from '../about.ts'
import { cutList, groupedPage } from '../grouped-page.ts'
import type { BookRow } from './rows.ts'
import { groupNames, saysNothing, sections } from './words.ts'

const groupTexts: Readonly<Record<AccessibilityState, readonly [title: string, caption: string]>> = {
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
export const accessibilityPage = (rows: readonly BookRow[], about: About): string =>
  groupedPage(rows, about, {
    title: 'Accessibility of the catalogue',
    lead: (files, day) =>
      html`What ${files} ${rows.length === 1 ? 'says' : 'say'} of accessibility, read on ${day}. These are claims; nobody has checked them by reading the books.`,
    states: accessibilityStates,
    stateOf: ({ state }) => state,
    titles: groupTexts,
    labels: groupNames,
    summary: missingMost(rows),
    columns: [
      { title: 'What is wrong', size: 'large', cell: wrong },
      { title: 'What it says', cell: said },
      { title: 'ONIX list 196', size: 'small', cell: codes },
    ],
    footer: html`Statements are those of the W3C's Accessibility Metadata Display Guide for Digital Publications 2.0; ONIX codes are those of list 196 that follow by the W3C's crosswalk.`,
  })

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
    books.toLocaleString('en'),
    share(books / rows.length),
  ]),
)}</section>`
}

const levelBadge = (level: Missing['level']): Html =>
  level === 'required' ? badge('warn', 'Required') : badge('plain', 'Recommended')

function wrong({ accessibility }: BookRow): PageValue {
  if (!accessibility) return undefined
  const { contradictions, missing, unknownValues, content } = accessibility
  const named = (level: 'required' | 'recommended') =>
    missing.filter(each => each.level === level).map(({ property }) => property)
  const required = named('required')
  const recommended = named('recommended')
  return plainList([
    ...cutList(
      contradictions.map(
        ({ message, place }) =>
          html`${badge('bad', 'Contradiction')} ${message}${place !== undefined && html`<span class="file">${cutValue(place)}</span>`}`,
      ),
    ),
    ...(required.length > 0 ? [html`${badge('warn', 'Missing, required')} ${required.join(', ')}`] : []),
    ...(recommended.length > 0
      ? [html`${badge('plain', 'Missing, recommended')} ${recommended.join(', ')}`]
      : []),
    ...cutList(
      unknownValues.map(
        ({ property, value }) => html`${badge('warn', 'Unknown value')} ${property}: ${cutValue(value)}`,
      ),
    ),
    ...(content && content.unseenDocuments > 0
      ? [html`${badge('plain', 'Not looked at')} ${counted(content.unseenDocuments, 'document')}`]
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
          html`<span class="quiet">${title}:</span> ${cutList(known.map(each => html`<bdi>${cutValue(each)}</bdi>`)).map((each, index) => [index > 0 && '; ', each])}`,
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
