import type { Checked } from '../../contract/endpoint.ts'
import type { Publication } from '../../contract/publication.ts'
import type { Entry } from '../../journal/entry.ts'
import { fieldsOfCreation } from '../../plan/creation.ts'
import type { KnownEdition, KnownPublication } from '../../plan/known.ts'
import { nonEmptyText } from '../outcome.ts'

type PublicationRecord = Checked<typeof Publication>
type EditionRecord = NonNullable<NonNullable<PublicationRecord['editions']>[number]>

/**
 * What a decision needs of a publication. `entries` are its uploads in the journal: they supply what was sent from here and
 * what the service does not return.
 */
export function knownPublication(
  publicationId: string,
  item: PublicationRecord,
  entries: readonly Entry[],
): KnownPublication {
  const editions = (Array.isArray(item.editions) ? item.editions : []).filter(isRecord)
  const creation = entries.find(({ editionOf }) => editionOf === null)?.creation
  const { language, description, sampleItems, isForInternalReadingInstance } = item
  return {
    publicationId,
    fields: {
      language: nonEmptyText(language) ?? creation?.language,
      description: nonEmptyText(description) ?? creation?.description,
      sampleItems: Array.isArray(sampleItems) ? sampleItems : creation?.sampleItems,
      isForInternalReadingInstance: isForInternalReadingInstance ?? creation?.isForInternalReadingInstance,
    },
    editions: editions
      .reverse()
      .sort((one, other) => Number(other.version ?? 0) - Number(one.version ?? 0))
      .map(edition => knownEdition(edition, entries)),
  }
}

function knownEdition(edition: EditionRecord, entries: readonly Entry[]): KnownEdition {
  const editionId = nonEmptyText(edition.id)
  const entry = entries.find(each => each.editionId !== null && each.editionId === editionId)
  const wasSent = entry !== undefined && (entry.stage === 'sent' || entry.stage === 'finished')
  const metadata = isRecord(edition.metadata) ? edition.metadata : {}
  const sent = entry && fieldsOfCreation(entry.creation)
  return {
    editionId,
    isCurrent: edition.isCurrentVersion === true,
    type: nonEmptyText(edition.type),
    uploadStatus: nonEmptyText(edition.uploadStatus),
    sha256: (wasSent ? entry.sha256 : null) ?? sha256In(metadata['sha256']),
    bytes: decimal(metadata.fileSize),
    wasSent,
    fields: {
      title: nonEmptyText(edition.title) ?? sent?.title,
      author: Array.isArray(edition.author) ? edition.author.map(String) : sent?.author,
      collectionIds: sent?.collectionIds,
      metadata: { ...sent?.metadata, ...metadata },
    },
  }
}

const isRecord = <T>(value: T): value is NonNullable<T> & object =>
  typeof value === 'object' && value !== null

const sha256In = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : null

/** A count of bytes as decimal text (§2.8), or as a number. */
const decimal = (value: unknown): number | null =>
  (typeof value === 'string' && /^\d{1,15}$/.test(value)) || Number.isSafeInteger(value)
    ? Number(value)
    : null
