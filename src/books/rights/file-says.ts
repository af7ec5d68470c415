import { type Accessibility, describeAccessibility } from '../accessibility/index.ts'
import { sayableCodes } from '../accessibility/onix-codes.ts'
import type { Book } from '../book.ts'
import type { RightsFacts, WrittenValue } from '../rights-facts.ts'
import type { AccessSaid, CarrierSays, MadeBy, Reservation, Saying, Voice } from './says.ts'

/** The values of the TDM Reservation Protocol. Any other counts as none. */
export const reservationValues: Readonly<Record<string, Reservation>> = { '1': 'reserved', '0': 'permitted' }

/** What IPTC's and schema.org's types of digital sources say, by the last part of their names in lower case. */
const digitalSources: readonly (readonly [RegExp, MadeBy])[] = [
  [/trainedalgorithmicmedia(?:digitalsource)?$/, 'ai'],
  [/(?:digitalcapture|digitalart|digitalcreation|humanedits)(?:digitalsource)?$/, 'people'],
]

/** Names that are no people's, as audiobooks give them. */
const artificialVoice =
  /\b(?:synthe(?:tic|si[sz]ed)|text[ -]to[ -]speech|tts|ai[ -](?:voice|narrat)|artificial (?:voice|intelligence)|digital (?:voice|narrat)|auto[ -]?narrated|virtual voice|computer[ -]generated)/i

/** What the file of a book says that was read with `rights`, and of accessibility if it was read with that. */
export function fileSays(book: Book): CarrierSays | undefined {
  const { rights } = book
  if (rights === undefined) return undefined
  const access = describeAccessibility(book)
  const sources = known(rights.digitalSources, sourceOf)
  const reservations = known(rights.reservations, text => reservationValues[text])
  return {
    carrier: 'file',
    tdm: { reservations: reservations.known, policies: policiesIn(rights) },
    ...(access && { access: accessIn(access, book) }),
    voices: rights.narrators.map(name => ({ value: voiceOf(name), written: name })),
    sources: sources.known,
    unknown: [
      ...reservations.unknown.map(each => ({ ...each, property: 'tdm:reservation' })),
      ...sources.unknown.map(each => ({ ...each, property: 'digitalSourceType' })),
    ],
  }
}

/** Splits values by whether they mean anything. */
function known<Value extends string>(
  values: readonly WrittenValue[],
  meaningOf: (text: string) => Value | undefined,
): { known: Saying<Value>[]; unknown: Saying[] } {
  const found: { known: Saying<Value>[]; unknown: Saying[] } = { known: [], unknown: [] }
  for (const { value: written, place } of values) {
    const value = meaningOf(written)
    const at = place === undefined ? {} : { place }
    if (value === undefined) found.unknown.push({ value: written, ...at })
    else found.known.push({ value, written, ...at })
  }
  return found
}

const sourceOf = (text: string): MadeBy | undefined =>
  digitalSources.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1]

const voiceOf = (name: string): Voice => (artificialVoice.test(name) ? 'synthetic' : 'person')

const policiesIn = ({ policies }: RightsFacts): Saying[] => policies.filter(({ value }) => value !== '')

function accessIn({ onix, content }: Accessibility, { type }: Book): AccessSaid {
  return {
    codes: onix.list196.map(({ code, value }) => ({
      value: code,
      ...(value !== undefined && { written: value }),
    })),
    hazards: onix.list143.map(({ code }) => ({ value: code })),
    sayable: sayableCodes(type),
    ...(content && { images: { without: content.imagesWithoutAlt, all: content.images } }),
  }
}
