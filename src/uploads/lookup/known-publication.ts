import { fieldsOfCreation } from '../../plan/creation.ts'
import type { KnownEdition, KnownPublication } from '../../plan/known.ts'
import type { Checked } from '../../service/contract/endpoint.ts'
import type { Publication } from '../../service/contract/publication.ts'
import type { Entry } from '../journal/entry.ts'
import { nonEmptyText, nonEmptyTexts } from '../outcome.ts'

type PublicationRecord = Checked<typeof Publication>
type EditionRecord = NonNullable<NonNullable<PublicationRecord['editions']>[number]>

/**
 * What a decision needs of a publication. `entries` are its uploads in the journal: they supply what was sent from here and
 * what the service does not return.
 */
export const knownPublication = (
  publicationId: string,
  item: PublicationRecord,
  entries: readonly Entry[],
): KnownPublication => withJournal(publicationAtService(publicationId, item), entries)

function publicationAtService(publicationId: string, item: PublicationRecord): KnownPublication {
  const editions = (Array.isArray(item.editions) ? item.editions : []).filter(isRecord)
  const { language, description, sampleItems, isForInternalReadingInstance } = item
  return {
    publicationId,
    fields: {
      language: nonEmptyText(language) ?? undefined,
      description: nonEmptyText(description) ?? undefined,
      sampleItems: nonEmptyTexts(sampleItems) ?? undefined,
      isForInternalReadingInstance: isForInternalReadingInstance ?? undefined,
    },
    editions: editions
      .reverse()
      .sort((one, other) => Number(other.version ?? 0) - Number(one.version ?? 0))
      .map(editionAtService),
  }
}

function editionAtService(edition: EditionRecord): KnownEdition {
  const metadata = isRecord(edition.metadata) ? edition.metadata : {}
  return {
    editionId: nonEmptyText(edition.id),
    isCurrent: edition.isCurrentVersion === true,
    type: nonEmptyText(edition.type),
    uploadStatus: nonEmptyText(edition.uploadStatus),
    sha256: sha256In(metadata['sha256']),
    bytes: decimal(metadata.fileSize),
    wasSent: false,
    file: null,
    fields: {
      title: nonEmptyText(edition.title) ?? undefined,
      author: nonEmptyTexts(edition.author) ?? undefined,
      metadata: { ...metadata },
    },
  }
}

/** A publication as the service says, with what its uploads in the journal add. */
export function withJournal(publication: KnownPublication, entries: readonly Entry[]): KnownPublication {
  if (entries.length === 0) return publication
  const creation = entries.find(({ editionOf }) => editionOf === null)?.creation
  const { language, description, sampleItems, isForInternalReadingInstance } = publication.fields
  return {
    ...publication,
    fields: {
      language: language ?? creation?.language,
      description: description ?? creation?.description,
      sampleItems: sampleItems ?? creation?.sampleItems,
      isForInternalReadingInstance: isForInternalReadingInstance ?? creation?.isForInternalReadingInstance,
    },
    editions: publication.editions.map(edition => editionWithJournal(edition, entries)),
  }
}

function editionWithJournal(edition: KnownEdition, entries: readonly Entry[]): KnownEdition {
  const entry = entries.find(each => each.editionId !== null && each.editionId === edition.editionId)
  if (entry === undefined) return edition
  const wasSent = entry.stage === 'sent' || entry.stage === 'finished'
  const sent = fieldsOfCreation(entry.creation)
  const { title, author, collectionIds, metadata } = edition.fields
  return {
    ...edition,
    wasSent,
    sha256: (wasSent ? entry.sha256 : null) ?? edition.sha256,
    bytes: edition.bytes ?? (wasSent ? entry.bytes : null),
    file: wasSent ? entry.file : null,
    fields: {
      title: title ?? sent.title,
      author: author ?? sent.author,
      collectionIds: collectionIds ?? sent.collectionIds,
      metadata: { ...sent.metadata, ...metadata },
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
