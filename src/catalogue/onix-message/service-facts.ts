import { isIsbn } from '../../books/isbn.ts'
import { exportedPublication } from '../../plan/exported.ts'
import { factsOfFile, type IndexedPublication, type KnownEdition } from '../../plan/known.ts'
import { hasFailed } from '../../plan/match.ts'
import { type PublicationType, publicationTypes } from '../../service/contract/publication-type.ts'
import { asText } from '../../system/exact-json.ts'

/** What the service says of a publication. */
export interface ServiceFacts {
  readonly publicationId: string
  readonly edition: KnownEdition
  readonly type: PublicationType | null
  /** What it says of the file (`metadata.pageCount` and others). */
  readonly ofFile: Readonly<Record<string, string>>
  /** The fields that a sheet would have, as texts and lists. */
  readonly values: NonNullable<ReturnType<typeof exportedPublication>>['values']
}

/** What the service says of a publication; undefined if all its uploads have failed. */
export function serviceFacts(publication: IndexedPublication): ServiceFacts | undefined {
  const exported = exportedPublication(publication, isIsbn)
  if (exported === undefined) return undefined
  const usable = publication.editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const edition = (usable.find(({ isCurrent }) => isCurrent) ?? usable[0]) as KnownEdition
  const { language } = publication.fields
  return {
    publicationId: publication.publicationId,
    edition,
    type: publicationTypes.find(type => type === edition.type) ?? null,
    ofFile: Object.fromEntries(
      Object.entries(edition.fields.metadata ?? {})
        .filter(([name, value]) => factsOfFile.has(name) && value !== null && value !== undefined)
        .map(([name, value]) => [name, asText(value)]),
    ),
    values: { ...exported.values, ...(language && { language }) },
  }
}
