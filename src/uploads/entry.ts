import { createHash } from 'node:crypto'
import type { Caller } from './caller.ts'
import { creationFor, type UploadPlan } from './plan.ts'
import type { Purpose, Session } from './session.ts'

/**
 * How far an upload has come. `planned`: nothing is known to have reached the service. `created`: the publication is
 * there and its file is not. `sent`: the file is there, and processing may go on. `finished`: processing has ended.
 */
type Stage = 'planned' | 'created' | 'sent' | 'finished'

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
  readonly creation: UploadPlan['creation']
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

/** What every session of an upload must be for. */
export const purposeOf = ({ uploadRequestId, creation, objectKey, coverObjectKey }: Entry): Purpose => ({
  uploadRequestId,
  wantsCover: creation.coverFilename !== undefined,
  objectKey,
  coverObjectKey,
})

/** What becomes of an upload's record as it gets a session, at a time of day in milliseconds since 1970. */
export const withSession = (session: Session, now: number) => ({
  session,
  // One that does not say when it ends is kept for no longer than usual.
  sessionEnds: now + (session.expiresIn ?? 900) * 1000,
  // A later session that does not say where it leads takes nothing back.
  ...(session.objectKey ? { objectKey: session.objectKey } : {}),
  ...(session.cover?.objectKey ? { coverObjectKey: session.cover.objectKey } : {}),
})

/**
 * What makes two uploads the same. The id of the upload request, which is new each time, is no part of it, and neither
 * are the file's size and time: an upload that was broken off goes on with what the file has become.
 */
export function fingerprintOf(plan: UploadPlan, editionOf: string | null): string {
  const { file, coverWish } = plan
  const { uploadRequestId: _, ...said } = creationFor(plan, editionOf)
  return createHash('sha256')
    .update(JSON.stringify([file, coverWish, editionOf, said]))
    .digest('hex')
}
