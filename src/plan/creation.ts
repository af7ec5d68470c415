import type { Input } from '../contract/endpoint.ts'
import { languageName } from '../contract/language.ts'
import type { PublicationType } from '../contract/publication.ts'
import type { publications } from '../contract/publications.ts'
import {
  type BookField,
  bookFieldEntries,
  type ChangeableFields,
  type CreationFields,
  type Overrides,
} from './book-fields.ts'

/** The body that creates a publication, or an edition of one. */
export type Creation = Input<typeof publications.create>

/** Those of the given fields that `isMeant`, by the names and in the words in which they are sent. */
function sent(values: Overrides, isMeant: (field: BookField) => boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, field] of bookFieldEntries) {
    const value = values[name]
    if (value === undefined || !isMeant(field)) continue
    if (field.kind === 'pairs') Object.assign(fields, value)
    else fields[field.sentAs] = field.kind === 'language' ? languageName(String(value)) : value
  }
  return fields
}

/** What is given of a book by its person, as it is compared with what is at the service. */
export const givenFields = (
  overrides: Overrides,
): { changeable: ChangeableFields; creation: CreationFields } => ({
  changeable: sent(overrides, field => field.isChangeable === true),
  creation: {
    ...sent(
      overrides,
      ({ sentIn, isChangeable }) => !isChangeable && (sentIn === 'edition' || sentIn === 'publication'),
    ),
    metadata: sent(overrides, ({ sentIn }) => sentIn === 'metadata'),
  },
})

interface NewBook {
  readonly uploadRequestId: string
  readonly publicationFilename: string
  readonly coverFilename: string | undefined
  readonly type: PublicationType
}

/** The body that creates a book of which `values` are known, from the file or from its person. */
export function creationOf(
  { uploadRequestId, publicationFilename, coverFilename, type }: NewBook,
  values: Overrides,
): Creation {
  const known = { ...values }
  for (const [name, { isInFile }] of bookFieldEntries)
    if (isInFile && isEmpty(values[name])) delete known[name]
  const metadata = sent(known, ({ sentIn }) => sentIn === 'metadata')
  const { collectionIds, ...publication } = sent(known, ({ sentIn }) => sentIn === 'publication')
  // An upload is found again by its fingerprint, which depends on this order.
  return {
    uploadRequestId,
    publicationFilename,
    edition: {
      type,
      ...sent(known, ({ sentIn }) => sentIn === 'edition'),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    ...publication,
    ...(coverFilename !== undefined && { coverFilename }),
    ...(collectionIds !== undefined && { collectionIds: collectionIds as string[] }),
  }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/** What a creation says of a book. */
export function fieldsOfCreation(creation: Creation): ChangeableFields & CreationFields {
  const parts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    edition: creation.edition,
    publication: { ...creation },
  }
  const fields = bookFieldEntries.flatMap(([, { sentIn, sentAs }]) => {
    const value = parts[sentIn]?.[sentAs]
    return value === undefined ? [] : [[sentAs, value] as const]
  })
  return { ...Object.fromEntries(fields), metadata: creation.edition.metadata }
}
