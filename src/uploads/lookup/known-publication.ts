import type { ChangeableFields } from '../../plan/book-fields.ts'
import { fieldsOfCreation } from '../../plan/creation.ts'
import type { KnownEdition, KnownPublication } from '../../plan/known.ts'
import type { Resource } from '../../service/client/read.ts'
import type { Edition, Publication } from '../../service/contract/publication.ts'
import type { Entry } from '../journal/entry.ts'

type PublicationRecord = Resource<typeof Publication>

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
  const { language, description, sampleItems, isForInternalReadingInstance, editions } = item
  return {
    publicationId,
    fields: {
      language: language ?? undefined,
      description: description ?? undefined,
      sampleItems: sampleItems ?? undefined,
      isForInternalReadingInstance: isForInternalReadingInstance ?? undefined,
    },
    editions: [...(editions ?? [])]
      .reverse()
      .sort((one, other) => (other.version ?? 0) - (one.version ?? 0))
      .map(editionAtService),
  }
}

function editionAtService({ metadata, ...edition }: Resource<typeof Edition>): KnownEdition {
  return {
    editionId: edition.id,
    isCurrent: edition.isCurrentVersion === true,
    type: edition.type,
    uploadStatus: edition.uploadStatus,
    sha256: sha256In(metadata?.['sha256']),
    bytes: decimal(metadata?.fileSize ?? ''),
    wasSent: false,
    file: null,
    fields: {
      title: edition.title ?? undefined,
      author: edition.author ?? undefined,
      metadata: Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => value !== null)),
    },
  }
}

/** A publication as the service says, with what its uploads in the journal add. */
export function withJournal(publication: KnownPublication, entries: readonly Entry[]): KnownPublication {
  if (entries.length === 0) return publication
  const creation = entries.find(({ editionOf }) => editionOf === null)?.creation
  // A service that says any of them leaves out what is empty, be it that somebody has emptied it.
  const isTold = Object.values(publication.fields).some(value => value !== undefined)
  return {
    ...publication,
    fields: isTold || creation === undefined ? publication.fields : changeableIn(creation),
    editions: publication.editions.map(edition => editionWithJournal(edition, entries)),
  }
}

const changeableIn = ({
  language,
  description,
  sampleItems,
  isForInternalReadingInstance,
}: Entry['creation']): ChangeableFields => ({
  ...{ language, description, sampleItems, isForInternalReadingInstance },
})

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

/** A SHA-256 that somebody gave as a metadata value, which may be anything. */
const sha256In = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : null

/** A count of bytes as decimal text (§2.8). */
const decimal = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)
