import type { ChangeableFields, CreationFields } from './book-fields.ts'
import type { AcceptedDifference } from './difference.ts'
import type { SentValues } from './drift.ts'

/** One version of a publication's file. What the service does not say is null. */
export interface KnownEdition {
  readonly editionId: string | null
  readonly isCurrent: boolean
  readonly type: string | null
  readonly uploadStatus: string | null
  /** From this machine's journal, or else from the edition's metadata key `sha256`. */
  readonly sha256: string | null
  /** `metadata.fileSize`. */
  readonly bytes: number | null
  /** Whether the journal knows that the file has been sent. */
  readonly wasSent: boolean
  /** The file that it was uploaded from, if the journal knows. */
  readonly file: string | null
  readonly fields: CreationFields
}

/** A publication at the service that may be the book. */
export interface KnownPublication {
  readonly publicationId: string
  readonly fields: ChangeableFields
  /** The newest first. */
  readonly editions: readonly KnownEdition[]
  /** What was sent last to it, as far as that is known here. */
  readonly sent?: SentValues
}

/** How far an upload has come (see the journal). */
type Stage = 'planned' | 'created' | 'sent' | 'finished'

/** An earlier, unfinished or finished upload of the same file with the same fields to the same place. */
export interface EarlierUpload {
  readonly uploadRequestId: string
  readonly stage: Stage
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly editionOf: string | null
  /** The current upload status; `gone` if the service does not know the upload; null if it was not asked. */
  readonly state: string | null
  /** Whether the file has changed since. */
  readonly isChanged: boolean
  /** Whether the service was told the SHA-256 of the file as it was. */
  readonly isContentTold: boolean
}

/** Another file of the same batch with the same content, which has been uploaded. */
export interface InBatch {
  readonly file: string
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  readonly fields: ChangeableFields & CreationFields
}

/** An earlier upload of the same content that ended without a book. */
export interface FailedUpload {
  /** `upload_quarantine` or `upload_failed`. */
  readonly uploadStatus: string
  /** The file that it was uploaded from. */
  readonly file: string
  readonly publicationId: string | null
  readonly editionId: string | null
  /** Whether the publication has nothing else, and is still at the service. */
  readonly isLeft: boolean
}

/** What is known of a book that is wanted. */
export interface Known {
  readonly begun: EarlierUpload | null
  readonly failed: FailedUpload | null
  readonly inBatch: InBatch | null
  /** Publications that may be the book, without those of the running batch; null if the service was not asked. */
  readonly publications: readonly KnownPublication[] | null
  /** Publications that get a new edition from an earlier file of the batch, with that file. */
  readonly taken: ReadonlyMap<string, string>
  /** Whether each publication that may be the book has been read. If not, it may be there under another title. */
  readonly isAllRead: boolean
  /** Differences that somebody keeps as known, of these publications. */
  readonly accepted?: readonly AcceptedDifference[]
  /** Other rows of a catalogue with the same key, as phrases for messages. */
  readonly sameKey: readonly string[]
}

/** Nothing is known of a book, because neither the journal nor the service was asked. */
export const nothingKnown: Known = {
  begun: null,
  failed: null,
  inBatch: null,
  publications: null,
  isAllRead: true,
  taken: new Map(),
  sameKey: [],
}

/** What the service itself says of an edition's file among its metadata (§2.8); the rest was given by somebody. */
export const factsOfFile: ReadonlySet<string> = new Set([
  'pageCount',
  'fileSize',
  'epubVersion',
  'spreadBehaviour',
  'layoutType',
  'cover',
  'coverImageAlt',
])

/** What is kept of a publication at the service. */
export interface IndexedPublication extends KnownPublication {
  readonly currentEditionId: string | null
  /** As in the listing. */
  readonly collectionIds: readonly string[] | null
  /** When it was read, in milliseconds since 1970; 0 if it was never read, or is listed otherwise since. */
  readonly readAt: number
  /** Why it could not be read, so that only what the listing says is known; null if it was read. */
  readonly unread: string | null
}

/** Whether nothing is known of a publication but an earlier reading, or what the listing says. */
export const isNotReadYet = ({ readAt, unread }: IndexedPublication): boolean =>
  readAt === 0 && unread === null

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

/** What publications are looked up by, apart from their titles. */
export type IndexField = 'isbn' | 'sha256' | `metadata:${string}`

/** The publications of one address and scope, as they were when they were last read. Kept in the data folder. */
export interface PublicationIndex {
  readonly size: number
  get(publicationId: string): IndexedPublication | undefined
  /** Reads what `get` will soon be asked for, at once: each reading of a file takes longer than the row that it gives. */
  readAhead(publicationIds: readonly string[]): void
  find(query: IndexQuery): IndexedPublication[]
  /** How many publications are listed and not read yet. */
  notReadYet(): number
  /** Those not read yet that may be meant: by what they were when they were read, or by the title in the listing. */
  mayMean(query: IndexQuery): string[]
  /** The next publications that are not read yet. */
  nextNotRead(limit: number): string[]
  /** Publications that have been read and can be looked up by this field. */
  examplesOf(field: IndexField, limit: number): IndexedPublication[]
  /** The ids of all publications in their order, in pages. */
  ids(): Iterable<readonly string[]>
  /** Every publication by its id, without holding them all in memory. */
  all(): Iterable<IndexedPublication>
  close(): void
}
