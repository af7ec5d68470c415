import { basename } from 'node:path'
import { carriers, type Saying } from '../../books/rights/says.ts'
import type { RightsTopic } from '../../books/rights/topic.ts'
import { dayLabel } from '../../pages/charts/month-label.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, contents, figures, plainList, type Tone, table } from '../../pages/parts.ts'
import type { About } from '../about.ts'
import type { RightsRow } from './rows.ts'
import {
  type RightsState,
  rightsStates,
  rightsTopics,
  severalNames,
  topicNames,
  verdictText,
} from './words.ts'

const sectionTexts: Readonly<Record<RightsState, readonly [title: string, text: string]>> = {
  unread: ['Could not be read', 'Nothing is known about these files.'],
  contradicts: ['Contradict', 'What the file, the feed and the site say of these books cannot all be true.'],
  missing: ['Are not complete', 'One place leaves out what another one says.'],
  agrees: ['Agree', 'All places that were looked at say the same.'],
  stated: ['Are stated in one place', 'Only one place that was looked at says something.'],
  silent: ['Say nothing', 'No place that was looked at says anything of rights, makers or access.'],
}

/** The rights of a catalogue as a page, the worst books first. */
export function rightsPage(rows: readonly RightsRow[], { inputs, now, program }: About): string {
  const inState = (state: RightsState) => rows.filter(row => row.state === state)
  const groups = rightsStates
    .map(state => ({ state, rows: inState(state) }))
    .filter(group => group.rows.length > 0)
  return page({
    title: 'Rights of the catalogue',
    lead: html`What ${number(rows.length)} ${rows.length === 1 ? 'file' : 'files'} in <b>${cutValue(inputs.slice(0, 3).join(', '))}</b>${inputs.length > 3 && ' and elsewhere'} say of text and data mining, accessibility, narration and AI, and whether the feed and the publisher's sites say the same, read on ${dayLabel(new Date(now).toISOString().slice(0, 10))}.`,
    body: html`${figures([
      { label: rows.length === 1 ? 'file' : 'files', value: rows.length },
      ...rightsStates.map(state => ({ label: severalNames[state], value: inState(state).length })),
    ])}
${contents(
  'Groups of books',
  groups.map(({ state, rows: own }) => ({ id: state, title: sectionTexts[state][0], count: own.length })),
)}
${groups.map(group => section(group.state, group.rows))}`,
    footer: html`Text and data mining is read by the TDM Reservation Protocol and list 145 of ONIX, and accessibility is compared by list 196. These are claims, and no legal advice. Made by ${program}.`,
  })
}

function section(state: RightsState, rows: readonly RightsRow[]): Html {
  const [title, caption] = sectionTexts[state]
  const cells =
    state === 'unread'
      ? table(
          { name: title, caption },
          [{ title: 'File', size: 'medium' }, { title: 'Why' }],
          rows.map(row => [bookCell(row), row.error && cutValue(row.error.message)]),
        )
      : table(
          { name: title, caption },
          [
            { title: 'Book', size: 'medium' },
            { title: 'What is wrong', size: 'large' },
            { title: 'What is said' },
          ],
          rows.map(row => [bookCell(row), wrong(row), said(row)]),
        )
  return html`<section><h2 id="${state}">${title} (${number(rows.length)})</h2>
${cells}</section>`
}

const bookCell = ({ file, title, type, isbn }: RightsRow): Html =>
  html`<span dir="auto">${cutValue(title ?? basename(file))}</span><span class="file">${cutValue(file)}</span>${type && html`<span class="file">${type} ${isbn}</span>`}`

/** The most entries of a list in a cell; more are counted. */
const listLimit = 20

const tones: Readonly<Record<string, Tone>> = { contradicts: 'bad', missing: 'warn', agrees: 'good' }

function wrong({ rights }: RightsRow): PageValue {
  if (!rights) return undefined
  return plainList([
    ...limited(
      rights.contradictions.map(({ message }) => html`${badge('bad', 'Contradiction')} ${cutValue(message)}`),
    ),
    ...rightsTopics.flatMap(topic => missingOf(topicNames[topic], rights[topic])),
    ...limited(
      rights.unknownValues.map(
        ({ property, value }) => html`${badge('warn', 'Unknown value')} ${property}: ${cutValue(value)}`,
      ),
    ),
  ])
}

const missingOf = (name: string, { missingIn, leftOut }: RightsTopic): Html[] =>
  missingIn.map(carrier => {
    const codes = leftOut?.find(each => each.carrier === carrier)?.codes ?? []
    return html`${badge('warn', `Missing in the ${carrier}`)} ${name}${codes.length > 0 && `: codes ${codes.join(', ')}`}`
  })

function said({ rights }: RightsRow): PageValue {
  if (!rights) return undefined
  return plainList(
    rightsTopics
      .filter(topic => rights[topic].verdict !== 'silent')
      .map(topic => {
        const { verdict, missingIn } = rights[topic]
        const parts = carriers.flatMap(carrier => {
          const sayings = rights[topic][carrier] ?? []
          return sayings.length === 0 ? [] : [html`<span class="file">${carrier}: ${textsOf(sayings)}</span>`]
        })
        return html`${topicNames[topic]} ${badge(tones[verdict] ?? 'plain', verdictText(verdict, missingIn))}${parts}`
      }),
  )
}

const textsOf = (sayings: readonly Saying[]): PageValue[] =>
  limited(
    sayings.map(
      ({ value, written, list }) =>
        html`<bdi>${cutValue(written === undefined || list !== undefined ? value : `${value} (${written})`)}</bdi>`,
    ),
  ).map((each, index) => [index > 0 && ', ', each])

const limited = (all: readonly PageValue[]): PageValue[] =>
  all.length <= listLimit
    ? [...all]
    : [...all.slice(0, listLimit), `and ${number(all.length - listLimit)} more`]

const number = (value: number): string => value.toLocaleString('en')
