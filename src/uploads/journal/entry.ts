import type { Creation } from '../../plan/creation.ts'
import { parseExactly } from '../../system/exact-json.ts'
import type { Caller } from './caller.ts'

/**
 * How far an upload has come. `planned`: nothing is known to have reached the service. `created`: the publication is
 * there and its file is not. `sent`: the file is there, and processing may go on. `finished`: processing has ended.
 */
type Stage = 'planned' | 'created' | 'sent' | 'finished'

/** Where to send one file: the presigned URL, and headers to copy unchanged. */
export interface SessionPart {
  readonly uploadUrl: string
  readonly requiredHeaders: Readonly<Record<string, string>>
  /** The object's key in the store, if the service names it. */
  readonly objectKey: string | null
}

/** An upload session as far as sending needs it. */
export interface Session extends SessionPart {
  /** Validity in seconds. */
  readonly expiresIn: number | undefined
  readonly cover: SessionPart | undefined
}

/** One upload in the journal. Times are milliseconds since 1970. */
export interface Entry extends Caller {
  readonly uploadRequestId: string
  /** Identifies the same upload: the file, its destination and its fields. */
  readonly fingerprint: string
  /** The file's absolute path. */
  readonly file: string
  readonly bytes: number
  readonly modified: number
  readonly sha256: string | null
  /** The request body of the creation. */
  readonly creation: Creation
  /** `--cover`: `auto`, `none` or the absolute path of an image. */
  readonly cover: string
  /** The publication that an edition is added to; null for a publication of its own. */
  readonly editionOf: string | null
  readonly stage: Stage
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  /** Known only to the process that got it, because whoever has its addresses can replace the file. */
  readonly session: Session | null
  readonly sessionEnds: number | null
  /** The object keys of the first session; later sessions must have the same. */
  readonly objectKey: string | null
  readonly coverObjectKey: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: number
  readonly changedAt: number
}

/** The fields that change during an upload. */
export type Change = Partial<
  Pick<
    Entry,
    | 'scopeId'
    | 'sha256'
    | 'stage'
    | 'publicationId'
    | 'editionId'
    | 'uploadStatus'
    | 'session'
    | 'sessionEnds'
    | 'objectKey'
    | 'coverObjectKey'
    | 'errorCode'
    | 'errorMessage'
  >
>

// Each stage that is reached clears the error that stopped the upload before.
const noError = { errorCode: null, errorMessage: null }

/** The change when the file has arrived. */
export const sentChange = {
  stage: 'sent',
  session: null,
  sessionEnds: null,
  ...noError,
} as const satisfies Change

/** The change when processing has ended. */
export const finishedChange = { stage: 'finished', ...noError } as const satisfies Change

/** A new upload. */
export type NewEntry = Omit<Entry, 'stage' | 'startedAt' | 'changedAt' | keyof Change> &
  Pick<Entry, 'scopeId' | 'sha256'>

/** What is not known of a new upload yet. */
export const untouched = {
  stage: 'planned',
  ...{ publicationId: null, editionId: null, uploadStatus: null, session: null, sessionEnds: null },
  ...{ objectKey: null, coverObjectKey: null },
  ...noError,
} as const satisfies Partial<Entry>

export const entrySchema = `CREATE TABLE uploads (
  number INTEGER PRIMARY KEY,
  uploadRequestId TEXT NOT NULL UNIQUE,
  target TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified REAL NOT NULL,
  sha256 TEXT,
  creation TEXT NOT NULL,
  coverWish TEXT NOT NULL,
  editionOf TEXT,
  stage TEXT NOT NULL,
  publicationId TEXT,
  editionId TEXT,
  uploadStatus TEXT,
  session TEXT,
  sessionEnds INTEGER,
  errorCode TEXT,
  errorMessage TEXT,
  startedAt INTEGER NOT NULL,
  changedAt INTEGER NOT NULL
);
CREATE INDEX byFingerprint ON uploads (target, fingerprint);
CREATE INDEX byContent ON uploads (target, sha256);
CREATE INDEX byFile ON uploads (file);
CREATE INDEX byStage ON uploads (stage);`

/** Added in the second version. */
export const byPublicationSchema = 'CREATE INDEX byPublication ON uploads (target, publicationId);'

/** Added in the third version. */
export const objectKeysSchema = `ALTER TABLE uploads ADD COLUMN objectKey TEXT;
ALTER TABLE uploads ADD COLUMN coverObjectKey TEXT;`

/** Added in the fourth version, to the queue as well. */
export const callerSchema = `ALTER TABLE uploads ADD COLUMN scopeId TEXT;
ALTER TABLE uploads ADD COLUMN keyDigest TEXT;
ALTER TABLE queue ADD COLUMN scopeId TEXT;
ALTER TABLE queue ADD COLUMN keyDigest TEXT;
CREATE INDEX byCaller ON uploads (target, keyDigest, scopeId);`

/** Since the fifth version, what is stored has the names that the source has; it concerns all three tables. */
export const namesSchema = `ALTER TABLE uploads RENAME COLUMN coverWish TO cover;
ALTER TABLE claims RENAME COLUMN seen TO renewedAt;
UPDATE queue SET request = '{"overrides":' || substr(request, 11) WHERE request LIKE '{"wishes":%';`

/**
 * Since the seventh version, an index has no more rows than are looked for in it: each row is written again with each stage. The same
 * upload is found by its file, which its fingerprint follows from as well.
 */
export const fewerIndexesSchema = `DROP INDEX byFingerprint;
DROP INDEX byStage;
CREATE INDEX byPlanned ON uploads (target) WHERE stage = 'planned';
DROP INDEX byPublication;
CREATE INDEX byPublication ON uploads (target, publicationId) WHERE publicationId IS NOT NULL;`

/** A row of the table of uploads. */
export type EntryRow = Omit<Entry, 'creation' | 'session' | 'sessionEnds'> & {
  readonly number: number
  readonly creation: string
  readonly mac: string | null
}

/** The part of an upload that is only in memory. */
export type InMemory = Pick<Entry, 'session' | 'sessionEnds'>

export const noSession: InMemory = { session: null, sessionEnds: null }

/** What is stored of an upload itself. */
export type StoredEntry = Omit<EntryRow, 'number' | 'mac'>

/**
 * What is stored of a new upload. Written out, because V8 keeps an object that gets so many fields by their names, in a loop, as a
 * hash table of 2 KB, in which each access takes longer.
 */
export const newlyStored = (
  entry: NewEntry,
  { creation, startedAt, changedAt }: Pick<StoredEntry, 'creation' | 'startedAt' | 'changedAt'>,
): StoredEntry => ({
  uploadRequestId: entry.uploadRequestId,
  target: entry.target,
  scopeId: entry.scopeId,
  keyDigest: entry.keyDigest,
  fingerprint: entry.fingerprint,
  file: entry.file,
  bytes: entry.bytes,
  modified: entry.modified,
  sha256: entry.sha256,
  creation,
  cover: entry.cover,
  editionOf: entry.editionOf,
  stage: 'planned',
  publicationId: null,
  editionId: null,
  uploadStatus: null,
  objectKey: null,
  coverObjectKey: null,
  errorCode: null,
  errorMessage: null,
  startedAt,
  changedAt,
})

/** What a row stores of its upload. */
export const storedIn = ({ number: _, mac: __, ...stored }: EntryRow): StoredEntry => stored

/** `creation` is what the stored one says, if it has been read before. */
export const entryOf = (
  stored: StoredEntry,
  { session, sessionEnds }: InMemory,
  creation = parseExactly(stored.creation) as Creation,
): Entry => ({ ...stored, session, sessionEnds, creation })

/** Whether a file is as it was when its upload was begun: by its hash, whatever its time, or else by its size and time. */
export const isSameContent = (
  entry: Pick<Entry, 'bytes' | 'modified' | 'sha256'>,
  { bytes, modified, sha256 }: Pick<Entry, 'bytes' | 'modified' | 'sha256'>,
): boolean =>
  entry.bytes === bytes &&
  (sha256 !== null && entry.sha256 !== null ? sha256 === entry.sha256 : entry.modified === modified)
