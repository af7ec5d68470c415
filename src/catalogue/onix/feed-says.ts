import { aiMaker, list145, list146, narratorRoles } from '../../books/rights/onix-lists.ts'
import type { CarrierSays, MadeBy, Reservation, Saying, Voice } from '../../books/rights/says.ts'
import type { CodedFeature, Declared, UsageConstraint } from '../../plan/declared.ts'

/** The types of list 145 that are about text and data mining as a whole, the one that says it best first. */
const tdmTypes = ['11', '00']

const reservations: Readonly<Record<string, Reservation>> = {
  '01': 'permitted',
  '02': 'limited',
  '03': 'reserved',
}

/** What the record of a book in a feed says; `place` is where the record is. */
export function feedSays(declared: Declared, place: string): CarrierSays {
  const { usage = [], artificial = [], narrators = [], accessibility = [], hazards = [] } = declared
  const codes = (features: readonly CodedFeature[]): Saying[] =>
    features
      .filter(({ value }) => value !== '')
      .map(({ value, description }) => ({
        value,
        ...(description !== undefined && { written: description }),
        place,
      }))
  const about =
    tdmTypes.map(code => usage.filter(({ type }) => type === code)).find(all => all.length > 0) ?? []
  return {
    carrier: 'feed',
    tdm: {
      reservations: about.flatMap(({ type, status }): Saying<Reservation>[] => {
        const value = reservations[status]
        return value === undefined ? [] : [{ value, written: `${list145[type]}: ${list146[status]}`, place }]
      }),
      policies: [],
    },
    access: { codes: codes(accessibility), hazards: codes(hazards) },
    voices: [
      ...artificial
        .filter(({ code, roles }) => code !== aiMaker || roles.some(role => narratorRoles.includes(role)))
        .map(
          ({ names }): Saying<Voice> => ({
            value: 'synthetic',
            ...(names[0] !== undefined && { written: names[0] }),
            place,
          }),
        ),
      ...narrators.map((written): Saying<Voice> => ({ value: 'person', written, place })),
    ],
    sources: artificial
      .filter(({ code, roles }) => code === aiMaker && !(roles.length > 0 && roles.every(isNarrator)))
      .map(({ roles }): Saying<MadeBy> => ({ value: 'ai', written: roles.join(', '), place })),
    unknown: about.flatMap(({ type, status }: UsageConstraint) =>
      reservations[status] === undefined
        ? [{ property: `EpubUsageStatus of type ${type}`, value: status, place }]
        : [],
    ),
  }
}

const isNarrator = (role: string): boolean => narratorRoles.includes(role)

/** A feed that has no record of a book. */
export const silentFeed: CarrierSays = feedSays({}, '')
