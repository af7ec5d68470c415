import type { Creation } from '../plan/creation.ts'
import type { Caller } from './caller.ts'

/**
 * How far an upload has come. `planned`: nothing is known to have reached the service. `created`: the publication is
 * there and its file is not. `sent`: the file is there, and processing may go on. `finished`: processing has ended.
 */
type Stage = 'planned' | 'created' | 'sent' | 'finished'

/** Where one file goes: the presigned address, and the headers to send with it as they are. */
export interface SessionPart {
  readonly uploadUrl: string
  readonly requiredHeaders: Readonly<Record<string, string>>
  /** The object in the store that it becomes, if the service says. */
  readonly objectKey: string | null
}

/** An upload session as far as sending needs it. */
export interface Session extends SessionPart {
  /** Seconds that it can be used. */
  readonly expiresIn: number | undefined
  readonly cover: SessionPart | undefined
}

/** One upload in the journal. Times are milliseconds since 1970. */
export interface Entry extends Caller {
  readonly uploadRequestId: string
  /** What makes it the same upload as another: the file, where it goes, and all that is said of it. */
  readonly fingerprint: string
  /** The file's absolute path. */
  readonly file: string
  readonly bytes: number
  readonly modified: number
  readonly sha256: string | null
  /** The body of the creation, and what was wished of the cover. */
  readonly creation: Creation
  readonly coverWish: string
  /** The publication that an edition is added to; null for a publication of its own. */
  readonly editionOf: string | null
  readonly stage: Stage
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  /** Kept only while it can be used. */
  readonly session: Session | null
  readonly sessionEnds: number | null
  /** Where in the store the file and the cover go, as the first session says: no later one may lead elsewhere. */
  readonly objectKey: string | null
  readonly coverObjectKey: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: number
  readonly changedAt: number
}

/** What changes of an upload as it goes on. */
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

/** What changes of an upload whose file has arrived. */
export const sentChange = {
  stage: 'sent',
  session: null,
  sessionEnds: null,
  ...noError,
} as const satisfies Change

/** What changes of an upload whose processing has ended. */
export const finishedChange = { stage: 'finished', ...noError } as const satisfies Change

/** An upload that is to begin; its hash may be known already. */
export type NewEntry = Omit<Entry, 'stage' | 'startedAt' | 'changedAt' | keyof Change> &
  Pick<Entry, 'scopeId' | 'sha256'>

/** The table that uploads stand in. */
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

/** What the second version of the table adds. */
export const byPublicationSchema = 'CREATE INDEX byPublication ON uploads (target, publicationId);'

/** What the third version adds. */
export const objectKeysSchema = `ALTER TABLE uploads ADD COLUMN objectKey TEXT;
ALTER TABLE uploads ADD COLUMN coverObjectKey TEXT;`

/** What the fourth version adds, to the queue as well. */
export const callerSchema = `ALTER TABLE uploads ADD COLUMN scopeId TEXT;
ALTER TABLE uploads ADD COLUMN keyDigest TEXT;
ALTER TABLE queue ADD COLUMN scopeId TEXT;
ALTER TABLE queue ADD COLUMN keyDigest TEXT;
CREATE INDEX byCaller ON uploads (target, keyDigest, scopeId);`

/** An upload as it stands in its table. */
export type Row = Omit<Entry, 'creation' | 'session'> & { creation: string; session: string | null }

export const entryOf = ({ creation, session, ...row }: Row): Entry => ({
  ...row,
  creation: JSON.parse(creation),
  session: session === null ? null : JSON.parse(session),
})
