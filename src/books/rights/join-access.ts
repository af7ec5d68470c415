import { list196 } from '../accessibility/onix-list-196.ts'
import type { AccessSaid, Carrier, CarrierSays, Saying } from './says.ts'
import { carrierName, type Joined, type RightsContradiction, sentence, topicOf } from './topic.ts'

/** What is compared of list 196 by more than its being there, in words. */
const groups: readonly (readonly [code: string, what: string, codes: Readonly<Record<string, string>>])[] = [
  ['a11y_level_contradicts', 'level', { '02': 'A', '03': 'AA', '84': 'A', '85': 'AA', '86': 'AAA' }],
  ['a11y_wcag_contradicts', 'WCAG', { '80': '2.0', '81': '2.1', '82': '2.2' }],
  ['a11y_standard_contradicts', 'EPUB Accessibility', { '02': '1.0', '03': '1.0', '04': '1.1' }],
]

/** Codes of list 143 of which only one can be true, with the one that denies all of them. */
const hazardPairs = [
  ['13', '14'],
  ['15', '16'],
  ['17', '18'],
] as const
const noHazards = '00'
const hazardCodes = new Set([noHazards, ...hazardPairs.flat(), '24', '25', '26'])

const inaccessible = '09'
/** Codes that say nothing good or bad of a book: a summary, what is unknown, contacts and certifiers. */
const isFeature = (code: string): boolean => /^(?:0[2-6]|[1-5]\d|8[0-6])$/.test(code) && code !== '10'

/** Joins what the file and the feed say of accessibility. A site has no place for it. */
export function joinAccess(all: readonly CarrierSays[]): Joined {
  const said = all.flatMap(says => (says.access ? [{ ...says, access: says.access }] : []))
  const [one, other] = said
  const contradictions = one && other ? contradictionsOf(one, other) : []
  const leftOut =
    one && other ? [leftOutBy(one, other), leftOutBy(other, one)].filter(({ codes }) => codes.length > 0) : []
  const joined = topicOf(
    said.map(({ carrier, access }) => [carrier, sayingsOf(access)] as const),
    leftOut.map(({ carrier }) => carrier),
    contradictions,
  )
  return { ...joined, topic: { ...joined.topic, leftOut } }
}

type Speaking = CarrierSays & { readonly access: AccessSaid }

/** What is said of it, hazards included. */
const sayingsOf = ({ codes, hazards }: AccessSaid): Saying[] => [
  ...codes.map(each => ({ ...each, list: '196' })),
  ...hazards.filter(({ value }) => hazardCodes.has(value)).map(each => ({ ...each, list: '143' })),
]

const leftOutBy = (one: Speaking, other: Speaking) => ({
  carrier: one.carrier,
  codes: codesLeftOut(one.access, other.access),
})

/** The codes of list 196 that one carrier gives and another one leaves out, although it could give them. */
function codesLeftOut(by: AccessSaid, other: AccessSaid): string[] {
  const own = new Set(by.codes.map(({ value }) => value))
  const codes = new Set(other.codes.map(({ value }) => value))
  return [...codes]
    .filter(code => !own.has(code) && (by.sayable?.has(code) ?? true) && !isElsewhere(code, own))
    .sort()
}

/** Whether a code is compared as a value of its group, or is 1.1 beside a claim of 1.2, for which the list has no code. */
const isElsewhere = (code: string, own: ReadonlySet<string>): boolean =>
  groups.some(([, , codes]) => codes[code] !== undefined && Object.keys(codes).some(each => own.has(each))) ||
  (code === '04' && [...own].some(each => /^8[0-6]$/.test(each)))

function contradictionsOf(one: Speaking, other: Speaking): RightsContradiction[] {
  const carriers = [one.carrier, other.carrier]
  const found: RightsContradiction[] = []
  const add = (code: string, text: string) => void found.push({ code, carriers, message: sentence(text) })
  const has = ({ access }: Speaking, code: string) => access.codes.some(({ value }) => value === code)
  for (const [code, what, codes] of groups) {
    const [value, against] = [one, other].map(({ access }) => highest(access.codes, codes))
    if (value !== undefined && against !== undefined && value !== against)
      add(code, `${carrierName(one)} claims ${what} ${value}, and ${carrierName(other)} ${what} ${against}`)
  }
  for (const [bad, good] of [[one, other] as const, [other, one] as const]) {
    const feature = good.access.codes.find(({ value }) => isFeature(value))?.value
    if (has(bad, inaccessible) && !has(good, inaccessible) && feature !== undefined) {
      add(
        'a11y_inaccessible_contradicts',
        `${carrierName(bad)} says that it is not accessible (09), and ${carrierName(good)} claims "${list196[feature]}" (${feature})`,
      )
    }
    const { images } = bad.access
    const claim = ['14', '15'].find(code => has(good, code) && !has(bad, code))
    if (images !== undefined && images.without > 0 && claim !== undefined) {
      add(
        'a11y_alt_contradicts',
        `${carrierName(good)} claims "${list196[claim]}" (${claim}), and ${images.without} of ${images.all} images of ${carrierName(bad)} have no alternative text`,
      )
    }
  }
  found.push(...hazardContradictions(one, other, carriers), ...certifierContradictions(one, other, carriers))
  return found
}

/** The highest value of a group that some codes give. */
const highest = (codes: readonly Saying[], values: Readonly<Record<string, string>>): string | undefined =>
  codes
    .flatMap(({ value }) => values[value] ?? [])
    .sort()
    .at(-1)

function hazardContradictions(one: Speaking, other: Speaking, carriers: Carrier[]): RightsContradiction[] {
  const [own, others] = [one, other].map(({ access }) => new Set(access.hazards.map(({ value }) => value)))
  if (own === undefined || others === undefined) return []
  return hazardPairs.flatMap(([warning, none]) => {
    const denies = (codes: ReadonlySet<string>) => codes.has(none) || codes.has(noHazards)
    if (!(own.has(warning) && denies(others)) && !(others.has(warning) && denies(own))) return []
    const [first, second] = own.has(warning) ? [one, other] : [other, one]
    return {
      code: 'a11y_hazards_contradict',
      carriers,
      message: sentence(
        `${carrierName(first)} warns of a hazard (list 143, ${warning}), and ${carrierName(second)} denies it`,
      ),
    }
  })
}

function certifierContradictions(one: Speaking, other: Speaking, carriers: Carrier[]): RightsContradiction[] {
  const [names, others] = [one, other].map(({ access }) =>
    access.codes.flatMap(({ value, written }) => (value === '90' && written !== undefined ? written : [])),
  )
  const isSame = names?.some(name => others?.some(each => each.toLowerCase() === name.toLowerCase()))
  if (!names?.length || !others?.length || isSame) return []
  const message = sentence(
    `${carrierName(one)} names ${names[0]} as its certifier, and ${carrierName(other)} ${others[0]}`,
  )
  return [{ code: 'a11y_certifier_contradicts', carriers, message }]
}
