import type { KnownPublication } from './known.ts'

/** What is kept of a publication at the service. */
export interface IndexedPublication extends KnownPublication {
  readonly currentEditionId: string | null
  /** As in the listing. */
  readonly collectionIds: readonly string[] | null
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number
  /** Why it could not be read, so that only what the listing says is known; null if it was read. */
  readonly unread: string | null
}

/** By what a product is looked up; publications that match any of them are candidates. */
export interface IndexQuery {
  readonly publicationId?: string | null
  /** Thirteen digits. */
  readonly isbn?: string | null
  /** A metadata key and its value, with `--match metadata:<key>`. */
  readonly metadata?: readonly [key: string, value: string]
  readonly sha256?: string | null
  readonly title?: string | null
}

/** The publications of one address and scope, as they were when they were last read. Kept in the data folder. */
export interface PublicationIndex {
  readonly size: number
  get(publicationId: string): IndexedPublication | undefined
  find(query: IndexQuery): IndexedPublication[]
  /** The ids of all publications in their order, in pages. */
  ids(): Iterable<readonly string[]>
  /** Every publication by its id, without holding them all in memory. */
  all(): Iterable<IndexedPublication>
  close(): void
}
