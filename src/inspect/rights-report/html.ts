import { carriers, type Saying } from '../../books/rights/says.ts'
import type { RightsTopic } from '../../books/rights/topic.ts'
import { cutValue } from '../../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../../pages/html.ts'
import { badge, plainList, type Tone } from '../../pages/parts.ts'
import type { About } from '../about.ts'
import { cutList, groupedPage } from '../grouped-page.ts'
import type { RightsRow } from './rows.ts'
import {
  type RightsState,
  rightsStates,
  rightsTopics,
  severalNames,
  topicNames,
  verdictText,
} from './words.ts'

const groupTexts: Readonly<Record<RightsState, readonly [title: string, caption: string]>> = {
  unread: ['Could not be read', 'Nothing is known about these files.'],
  contradicts: ['Contradict', 'What the file, the feed and the site say of these books cannot all be true.'],
  missing: ['Are not complete', 'One place leaves out what another one says.'],
  agrees: ['Agree', 'All places that were looked at say the same.'],
  stated: ['Are stated in one place', 'Only one place that was looked at says something.'],
  silent: ['Say nothing', 'No place that was looked at says anything of rights, makers or access.'],
}

/** The rights of a catalogue as a page, the worst books first. */
export const rightsPage = (rows: readonly RightsRow[], about: About): string =>
  groupedPage(rows, about, {
    title: 'Rights of the catalogue',
    lead: (files, day) =>
      html`What ${files} ${rows.length === 1 ? 'says' : 'say'} of text and data mining, accessibility, narration and AI, and whether the feed and the publisher's sites say the same, read on ${day}.`,
    states: rightsStates,
    stateOf: ({ state }) => state,
    titles: groupTexts,
    labels: severalNames,
    columns: [
      { title: 'What is wrong', size: 'large', cell: wrong },
      { title: 'What is said', cell: said },
    ],
    footer: html`Text and data mining is read by the TDM Reservation Protocol and list 145 of ONIX, and accessibility is compared by list 196. These are claims, and no legal advice.`,
  })

const tones: Readonly<Record<string, Tone>> = { contradicts: 'bad', missing: 'warn', agrees: 'good' }

function wrong({ rights }: RightsRow): PageValue {
  if (!rights) return undefined
  return plainList([
    ...cutList(
      rights.contradictions.map(({ message }) => html`${badge('bad', 'Contradiction')} ${cutValue(message)}`),
    ),
    ...rightsTopics.flatMap(topic => missingOf(topicNames[topic], rights[topic])),
    ...cutList(
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
  cutList(
    sayings.map(
      ({ value, written, list }) =>
        html`<bdi>${cutValue(written === undefined || list !== undefined ? value : `${value} (${written})`)}</bdi>`,
    ),
  ).map((each, index) => [index > 0 && ', ', each])
