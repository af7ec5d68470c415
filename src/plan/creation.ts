import type { Input } from '../service/contract/endpoint.ts'
import { languageName } from '../service/contract/language.ts'
import type { PublicationType } from '../service/contract/publication-type.ts'
import type { publications } from '../service/contract/publications.ts'
import {
  type BookField,
  bookFieldEntries,
  type ChangeableFields,
  type CreationFields,
  type Overrides,
} from './book-fields.ts'

/** The body that creates a publication, or an edition of one. */
export type Creation = Input<typeof publications.create>

/** The values of the fields that `isMeant` selects, by the service's names and in its terms. */
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

/** The overrides in the form in which they are compared with the service. */
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

/** The request body for a book. `values` come from the file and from the user. */
export function creationOf(
  { uploadRequestId, publicationFilename, coverFilename, type }: NewBook,
  values: Overrides,
): Creation {
  const known = { ...values }
  for (const [name, { isInFile }] of bookFieldEntries)
    if (isInFile && isEmpty(values[name])) delete known[name]
  const metadata = sent(known, ({ sentIn }) => sentIn === 'metadata')
  const { collectionIds, ...publication } = sent(known, ({ sentIn }) => sentIn === 'publication')
  // The order matters: the fingerprint by which an upload is found again is a hash of this object.
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

/** The fields of a request body, for comparison. */
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
