import { isDeepStrictEqual } from 'node:util'
import { asText } from '../system/exact-json.ts'
import type { ChangeableFields, CreationFields } from './book-fields.ts'
import type { AcceptedDifference, Difference } from './difference.ts'
import { type FieldState, fieldState, type SentValues } from './drift.ts'
import { factsOfFile } from './known.ts'
import { isbn13, isSameList, isSameSet, isSameText } from './match.ts'
import { isSameLanguage } from './same-language.ts'
import type { Wanted } from './wanted.ts'

/** Splits differences of a publication by whether they are kept as known. One whose values have changed is not. */
export function withoutAccepted(
  differences: readonly Difference[],
  publicationId: string,
  accepted: readonly AcceptedDifference[],
): { readonly open: Difference[]; readonly known: AcceptedDifference[] } {
  const [open, known]: [Difference[], AcceptedDifference[]] = [[], []]
  for (const each of differences) {
    const kept = accepted.find(
      other =>
        other.publicationId === publicationId &&
        other.field === each.field &&
        isSameField(each.field, each.there, other.there) &&
        isSameField(each.field, each.wanted, other.wanted),
    )
    if (kept) known.push(kept)
    else open.push(each)
  }
  return { open, known }
}

/** The given fields that differ at the service and can be changed there. */
export const changeableDifferencesOf = (
  given: ChangeableFields,
  there: ChangeableFields,
  sent: SentValues = nothingSent,
): Difference[] =>
  Object.entries(given).flatMap(([field, wanted]) => {
    const other = there[field as keyof ChangeableFields]
    return wanted === undefined || isSameField(field, wanted, other)
      ? []
      : [differenceOf(field, other, wanted, sent)]
  })

/** Changes as the body of a PATCH; undefined if there are none. */
export const changesIn = (differences: readonly Difference[]): ChangeableFields | undefined =>
  differences.length === 0
    ? undefined
    : Object.fromEntries(differences.map(({ field, wanted }) => [field, wanted]))

/** The given fields that differ at the service and cannot be changed there. */
export function fixedDifferencesOf(
  given: CreationFields,
  there: CreationFields,
  sent: SentValues = nothingSent,
): Difference[] {
  const { metadata = {}, ...own } = given
  return [
    ...Object.entries(own).flatMap(([field, wanted]) => {
      const other = there[field as keyof CreationFields]
      // Not every answer names the collections of a publication.
      if (wanted === undefined || (field === 'collectionIds' && other === undefined)) return []
      return isSameField(field, wanted, other) ? [] : [differenceOf(field, other, wanted, sent)]
    }),
    ...Object.entries(metadata).flatMap(([field, wanted]) => {
      const other = there.metadata?.[field]
      return isSameField(field, wanted, other)
        ? []
        : [differenceOf(field, other, wanted, sent, metadataName(field))]
    }),
  ]
}

const nothingSent: SentValues = new Map()

/** `name` is that by which `sent` knows the field. */
const differenceOf = (
  field: string,
  there: unknown,
  wanted: unknown,
  sent: SentValues,
  name = field,
): Difference => ({
  ...{ field, there: there ?? null, wanted },
  ...(sent.has(name) && { sent: sent.get(name) }),
})

/** What a difference is, by three ways. */
export const differenceState = ({ field, ...ways }: Difference): FieldState =>
  fieldState(ways, (value, other) => isSameField(field, value, other))

/** Those that somebody has made at the service. */
export const driftedIn = (differences: readonly Difference[]): Difference[] =>
  differences.filter(each => differenceState(each) === 'drifted')

/** Given values that the service has, as it has them, where nothing or something else is known to have been sent. */
export function agreedValues(
  { creation, changeable }: Wanted['given'],
  there: ChangeableFields & CreationFields,
  sent: SentValues,
): [name: string, value: unknown][] {
  const has = new Map(namedValues(there))
  return namedValues({ ...creation, ...changeable }).flatMap(([name, wanted]) => {
    const value = has.get(name)
    const isSame = (other: unknown) => isSameField(name.replace(/^metadata\./, ''), other, value)
    return value === undefined || !isSame(wanted) || isSame(sent.get(name)) ? [] : [[name, value]]
  })
}

/** The values of fields by their names; those of metadata follow `metadata.`. */
export const namedValues = ({
  metadata = {},
  ...own
}: ChangeableFields & CreationFields): [name: string, value: unknown][] =>
  [
    ...Object.entries(own),
    ...Object.entries(metadata).map(([key, value]) => [metadataName(key), value] as const),
  ]
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, value])

const metadataName = (key: string): string => `metadata.${key}`

/** The names of the fields that differ. */
export const namesOf = (differences: readonly Difference[]): string[] => differences.map(({ field }) => field)

function isSameField(name: string, value: unknown, other: unknown): boolean {
  if (name === 'collectionIds' && Array.isArray(value) && Array.isArray(other))
    return isSameSet(value.map(asText), other.map(asText))
  return (
    isSame(value, other) ||
    (name === 'language' && isSameLanguage(value, other)) ||
    (name === 'isbn' && isbn13(value) !== undefined && isbn13(value) === isbn13(other))
  )
}

function isSame(value: unknown, other: unknown): boolean {
  if (Array.isArray(value)) return Array.isArray(other) && isSameList(value.map(asText), other.map(asText))
  if (typeof value === 'string') return typeof other === 'string' && isSameText(value, other)
  return value === other || asText(value) === asText(other) || isDeepStrictEqual(value, other)
}

/**
 * Splits given fields by whether the service says what an edition has there. A service that returns nothing that was given
 * as an edition's metadata may keep it all the same, so nothing can be said of it.
 */
export function comparableFields(
  given: CreationFields,
  there: CreationFields,
): { readonly comparable: CreationFields; readonly unknown: readonly string[] } {
  const { metadata = {}, ...own } = given
  const isKept = Object.entries(there.metadata ?? {}).some(
    ([name, value]) => !factsOfFile.has(name) && value !== undefined && value !== null,
  )
  const [known, unknown]: [Record<string, unknown>, string[]] = [{}, []]
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue
    if (there[name as keyof CreationFields] === undefined) unknown.push(name)
    else known[name] = value
  }
  if (isKept) return { comparable: { ...known, metadata }, unknown }
  return { comparable: known, unknown: [...unknown, ...Object.keys(metadata)] }
}
