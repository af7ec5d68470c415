import type { IndexedPublication, KnownEdition, KnownPublication } from '../../plan/known.ts'
import type { Resource } from '../../service/client/read.ts'
import type { PublicationSummary } from '../../service/contract/publication.ts'

/** What the listing says of a publication that is kept; null where it says nothing. */
export interface ListedPublication {
  readonly publicationId: string
  readonly currentEditionId: string | null
  readonly uploadStatus: string | null
  readonly title: string | null
  readonly authors: readonly string[] | null
  readonly type: string | null
  readonly collectionIds: readonly string[] | null
}

/** Undefined for a record without an id. */
export function listedPublication(item: Resource<typeof PublicationSummary>): ListedPublication | undefined {
  const { publicationId, currentEditionId, uploadStatus, title, author, type, collectionIds } = item
  if (publicationId === null) return undefined
  return { publicationId, currentEditionId, uploadStatus, title, authors: author, type, collectionIds }
}

/** How a publication is kept that was read, and was listed unless the listing left it out. */
export function indexedPublication(
  known: KnownPublication,
  listed: ListedPublication | null,
  readAt: number,
): IndexedPublication {
  const current = known.editions.find(({ isCurrent }) => isCurrent)
  const currentEditionId = listed?.currentEditionId ?? current?.editionId ?? null
  const editions = known.editions.map(edition =>
    listed !== null && isCurrentIn(known, edition, currentEditionId) ? completed(edition, listed) : edition,
  )
  return {
    ...known,
    editions: editions.length === 0 && listed !== null ? [editionOf(listed)] : editions,
    currentEditionId,
    collectionIds: listed?.collectionIds ?? null,
    readAt,
    unread: null,
  }
}

/** How a publication is kept of which only the listing is known; `unread` says why, if it could not be read. */
export const unreadPublication = (
  listed: ListedPublication,
  unread: string | null,
  readAt: number,
): IndexedPublication => ({
  publicationId: listed.publicationId,
  fields: {},
  editions: [editionOf(listed)],
  currentEditionId: listed.currentEditionId,
  collectionIds: listed.collectionIds,
  readAt,
  unread,
})

const isCurrentIn = (
  { editions }: KnownPublication,
  { editionId, isCurrent }: KnownEdition,
  currentEditionId: string | null,
): boolean =>
  isCurrent || editions.length === 1 || (currentEditionId !== null && editionId === currentEditionId)

/** The current edition, with what only the listing says of it. */
const completed = (edition: KnownEdition, listed: ListedPublication): KnownEdition => ({
  ...edition,
  isCurrent: true,
  type: edition.type ?? listed.type,
  uploadStatus: edition.uploadStatus ?? listed.uploadStatus,
  fields: {
    ...edition.fields,
    title: edition.fields.title ?? listed.title ?? undefined,
    author: edition.fields.author ?? listed.authors ?? undefined,
  },
})

/** The current edition, as far as the listing knows it. */
const editionOf = (listed: ListedPublication): KnownEdition =>
  completed(
    {
      editionId: listed.currentEditionId,
      isCurrent: true,
      ...{ type: null, uploadStatus: null, sha256: null, bytes: null, wasSent: false, file: null },
      fields: {},
    },
    listed,
  )
