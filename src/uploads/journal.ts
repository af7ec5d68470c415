import { createHash, randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '../database.ts'
import { UsageFailure } from '../errors.ts'
import type { Clock } from '../world.ts'
import type { UploadPlan } from './plan.ts'
import type { Session } from './session.ts'

/**
 * How far an upload has come. `planned`: nothing is known to have reached the service. `created`: the publication is
 * there and its file is not. `sent`: the file is there, and processing may go on. `finished`: processing has ended.
 */
export type Stage = 'planned' | 'created' | 'sent' | 'finished'

/** One upload in the journal. Times are milliseconds since 1970. */
export interface Entry {
  readonly uploadRequestId: string
  /** The service it goes to: its address, or the sandbox's folder. */
  readonly target: string
  /** What makes it the same upload as another: the file, its size and time, where it goes, and all that is said of it. */
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
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: number
  readonly changedAt: number
}

type Change = Partial<
  Pick<
    Entry,
    | 'sha256'
    | 'stage'
    | 'publicationId'
    | 'editionId'
    | 'uploadStatus'
    | 'session'
    | 'sessionEnds'
    | 'errorCode'
    | 'errorMessage'
  >
>

export type NewEntry = Omit<Entry, 'stage' | 'startedAt' | 'changedAt' | keyof Change>

/** The record of every upload that this user started, and how far each came; it outlives the process. */
export interface Journal {
  /**
   * The entry of the same upload that is not over, or that ended well; a new one where there is none. `isClaimed` is
   * false while another living process carries it out. No two processes can both begin the same upload.
   */
  begin(entry: NewEntry): { entry: Entry; isClaimed: boolean }
  /** An upload of the same content to the same target that ended well. */
  findContent(target: string, sha256: string): Entry | undefined
  get(uploadRequestId: string): Entry | undefined
  /** The newest last; only those that are not over unless `all`. */
  list(options: { all: boolean; target?: string }): Entry[]
  change(uploadRequestId: string, change: Change): Entry
  forget(uploadRequestId: string): boolean
  /** Makes this process the one that carries out an upload; false while another living process does. */
  claim(uploadRequestId: string): boolean
  /** Says that this process is still at it; a claim that is not renewed for half a minute is over. */
  renew(): void
  release(uploadRequestId: string): void
  close(): void
}

const schema = [
  `CREATE TABLE uploads (
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
    changedAt INTEGER NOT NULL,
    owner TEXT,
    ownerPid INTEGER,
    ownerSeen INTEGER
  );
  CREATE INDEX byFingerprint ON uploads (target, fingerprint);
  CREATE INDEX byContent ON uploads (target, sha256);
  CREATE INDEX byStage ON uploads (stage);`,
]

type Row = Omit<Entry, 'creation' | 'session'> & { creation: string; session: string | null }

/** A claim that was not renewed for so long belongs to a process that is gone. */
const claimLife = 30_000

/** Opens the journal in a folder, which is made when missing; file and folder are their owner's alone. */
export function openJournal(path: string, clock: Clock): Journal {
  const db = openDatabase(path, {
    schema,
    unusable: (why, cause) =>
      new UsageFailure(
        why === 'newer'
          ? 'the journal of uploads was made by a newer version of pubctl'
          : `the journal ${path} is damaged`,
        {
          code: 'journal_unusable',
          hint: 'Update pubctl, or move the file away; uploads then start afresh.',
          cause,
        },
      ),
  })
  const owner = randomUUID()
  /** What this process is at: the same file may stand twice in one batch. */
  const mine = new Set<string>()
  forgetSessions(db, clock.now())
  const read = (sql: string, ...values: (string | number | null)[]): Entry | undefined => {
    const row = db.get<Row>(sql, ...values)
    return row && entryOf(row)
  }
  const must = (uploadRequestId: string): Entry => {
    const entry = journal.get(uploadRequestId)
    if (entry) return entry
    throw new UsageFailure(`the upload ${uploadRequestId} is no longer in the journal`, {
      code: 'unknown_upload',
    })
  }
  const add = (entry: NewEntry): Entry => {
    const { uploadRequestId, target, fingerprint, file, bytes, modified, creation, coverWish, editionOf } =
      entry
    const now = clock.now()
    db.run(
      `INSERT INTO uploads (uploadRequestId, target, fingerprint, file, bytes, modified, creation, coverWish, editionOf,
         stage, startedAt, changedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?)`,
      ...[uploadRequestId, target, fingerprint, file, bytes, modified, JSON.stringify(creation), coverWish],
      ...[editionOf, now, now],
    )
    return must(uploadRequestId)
  }

  const journal: Journal = {
    begin: entry =>
      db.write(() => {
        const known = read(
          `SELECT * FROM uploads WHERE target = ? AND fingerprint = ?
             AND (stage <> 'finished' OR uploadStatus = 'available') ORDER BY number DESC LIMIT 1`,
          entry.target,
          entry.fingerprint,
        )
        const begun = known ?? add(entry)
        return { entry: begun, isClaimed: journal.claim(begun.uploadRequestId) }
      }),
    findContent: (target, sha256) =>
      read(
        `SELECT * FROM uploads WHERE target = ? AND sha256 = ? AND stage = 'finished' AND uploadStatus = 'available'
         ORDER BY number DESC LIMIT 1`,
        target,
        sha256,
      ),
    get: uploadRequestId => read('SELECT * FROM uploads WHERE uploadRequestId = ?', uploadRequestId),
    list: ({ all, target }) =>
      db
        .all<Row>(
          `SELECT * FROM uploads WHERE (? OR stage <> 'finished') AND (? IS NULL OR target = ?) ORDER BY number`,
          all ? 1 : 0,
          target ?? null,
          target ?? null,
        )
        .map(entryOf),
    change(uploadRequestId, change) {
      const columns = Object.entries({ ...change, changedAt: clock.now() }).map(([name, value]) => ({
        name,
        value:
          name === 'session' && value !== null ? JSON.stringify(value) : (value as string | number | null),
      }))
      db.run(
        `UPDATE uploads SET ${columns.map(({ name }) => `${name} = ?`).join(', ')} WHERE uploadRequestId = ?`,
        ...columns.map(({ value }) => value),
        uploadRequestId,
      )
      return must(uploadRequestId)
    },
    forget: uploadRequestId => db.run('DELETE FROM uploads WHERE uploadRequestId = ?', uploadRequestId) > 0,
    claim: uploadRequestId =>
      db.write(() => {
        const held = db.get<{ owner: string | null; ownerPid: number; ownerSeen: number }>(
          'SELECT owner, ownerPid, ownerSeen FROM uploads WHERE uploadRequestId = ?',
          uploadRequestId,
        )
        if (!held || mine.has(uploadRequestId)) return false
        const isHeld = held.owner !== null && held.owner !== owner && Date.now() - held.ownerSeen < claimLife
        if (isHeld && isAlive(held.ownerPid)) return false
        db.run(
          'UPDATE uploads SET owner = ?, ownerPid = ?, ownerSeen = ? WHERE uploadRequestId = ?',
          ...[owner, process.pid, Date.now(), uploadRequestId],
        )
        mine.add(uploadRequestId)
        return true
      }),
    renew: () => void db.run('UPDATE uploads SET ownerSeen = ? WHERE owner = ?', Date.now(), owner),
    release(uploadRequestId) {
      mine.delete(uploadRequestId)
      db.run(
        'UPDATE uploads SET owner = NULL WHERE uploadRequestId = ? AND owner = ?',
        uploadRequestId,
        owner,
      )
    },
    close: () => db.close(),
  }
  return journal
}

const entryOf = ({ creation, session, ...row }: Row): Entry => ({
  ...row,
  creation: JSON.parse(creation),
  session: session === null ? null : JSON.parse(session),
})

/** A presigned URL is a key to one upload; none is kept longer than it can be used. */
function forgetSessions(db: Database, now: number): void {
  db.run('UPDATE uploads SET session = NULL, sessionEnds = NULL WHERE sessionEnds <= ?', now)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What makes two uploads the same; the id of the upload request, which is new each time, is not part of it. */
export function fingerprintOf(
  plan: Pick<UploadPlan, 'file' | 'bytes' | 'modified' | 'creation' | 'coverWish'>,
  editionOf: string | null,
): string {
  const { uploadRequestId: _, ...said } = plan.creation
  const { file, bytes, modified, coverWish } = plan
  return createHash('sha256')
    .update(JSON.stringify([file, bytes, modified, coverWish, editionOf, said]))
    .digest('hex')
}
