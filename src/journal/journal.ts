import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import { serialise } from '../exact-json.ts'
import { inMemory, openDatabase, openToRead } from '../system/database.ts'
import { guarded } from '../system/guarded.ts'
import type { Clock } from '../world.ts'
import { type Claims, claimsSchema, openClaims } from './claims.ts'
import { durably } from './durably.ts'
import {
  byPublicationSchema,
  type Change,
  callerSchema,
  type Entry,
  entryOf,
  entrySchema,
  type NewEntry,
  namesSchema,
  objectKeysSchema,
  type Row,
} from './entry.ts'
import { unusable } from './journal-errors.ts'
import { type JournalReader, noJournal, readerOf } from './journal-reader.ts'
import { openQueue, type Queue, queueSchema } from './queue.ts'

/** An upload to carry out, and its state in the journal. */
interface Begun {
  readonly entry: Entry
  /** False if another process has claimed it. */
  readonly isClaimed: boolean
  /** Whether it was added now, so that nothing of it can have reached the service. */
  readonly isNew: boolean
  /** Whether the file has changed since it was begun. */
  readonly isChanged: boolean
}

interface BeginOptions {
  /** The file's id in the queue; beginning removes it there. */
  readonly queued: string | undefined
  /** Uploads of the same file that cannot be continued. */
  readonly excluded: ReadonlySet<string>
  /** Whether only the upload with the same id is the same, as in a plan. */
  readonly isPlanned?: boolean
}

/** The persistent record of this user's uploads and their stages. */
export interface Journal extends JournalReader, Pick<Claims, 'renew' | 'release'> {
  readonly queue: Queue
  /**
   * The same upload, unless it failed; otherwise a new one. Two processes cannot both begin the same upload.
   */
  begin(entry: NewEntry, options: BeginOptions): Begun
  /** Throws if this process has no claim on it, or no longer. */
  change(uploadRequestId: string, change: Change): Entry
  /**
   * The same for changes that must not be lost, such as the arrival of a file: waits up to a minute for a journal that
   * another process has locked. Throws `journal_busy` after that.
   */
  changeWhenFree(uploadRequestId: string, change: Change, signal: AbortSignal): Promise<Entry>
  /** Deletes an upload, or a file of the queue. */
  forget(uploadRequestId: string): boolean
  claim(uploadRequestId: string): boolean
  /** Erases the URLs of ended uploads, which would otherwise stay in the database's write-ahead log for a while. */
  wipe(): void
  close(): void
}

const optionsOf = (path: string) => ({
  schema: [
    `${entrySchema}\n${claimsSchema}\n${queueSchema}`,
    byPublicationSchema,
    objectKeysSchema,
    callerSchema,
    namesSchema,
  ],
  unusable: (trouble: string, cause?: unknown) => unusable(path, trouble, cause),
})

/** Opens the journal read-only; an empty one if there is none. */
export function readJournal(path: string, clock: Clock): JournalReader & Pick<Journal, 'close'> {
  const options = optionsOf(path)
  const raw = openToRead(path, options)
  if (!raw) return { ...noJournal, close() {} }
  const db = guarded(raw, options.unusable)
  const claims = openClaims(db)
  return { ...readerOf(db, claims, openQueue(db, claims, clock.now)), close: db.close }
}

/**
 * Opens the journal and creates its folder if needed; only their owner can access both. `hide` removes secrets from what is
 * stored of the service's answers, except for sessions.
 */
export function openJournal(
  path: string,
  clock: Clock,
  hide: (text: string) => string = text => text,
): Journal {
  const options = optionsOf(path)
  const db = guarded(openDatabase(path, options), options.unusable)
  // Deleted data is overwritten, because a presigned URL grants access to an upload.
  db.get('PRAGMA secure_delete = ON')
  db.run(
    'UPDATE uploads SET session = NULL, sessionEnds = NULL WHERE session IS NOT NULL AND sessionEnds <= ?',
    clock.now(),
  )
  const claims = openClaims(db)
  const queue = openQueue(db, claims, clock.now)
  const reader = readerOf(db, claims, queue)
  const must = (uploadRequestId: string): Entry => {
    const entry = reader.get(uploadRequestId)
    if (entry) return entry
    throw new UsageFailure(`the upload ${uploadRequestId} is no longer in the journal`, {
      code: 'unknown_upload',
    })
  }
  const add = (entry: NewEntry): Entry => {
    const { uploadRequestId, fingerprint, file, bytes, modified, sha256, cover, editionOf } = entry
    const { target, scopeId, keyDigest } = entry
    const creation = serialise({ ...entry.creation, uploadRequestId })
    const now = clock.now()
    const [row] = db.all<Row>(
      `INSERT INTO uploads (uploadRequestId, target, fingerprint, file, bytes, modified, sha256, creation, cover,
         editionOf, scopeId, keyDigest, stage, startedAt, changedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?) RETURNING *`,
      ...[uploadRequestId, target, fingerprint, file, bytes, modified, sha256, creation, cover],
      ...[editionOf, scopeId, keyDigest, now, now],
    )
    return entryOf(row as Row)
  }
  const beginKnown = (known: Entry, { bytes, modified, sha256 }: NewEntry): Begun => {
    const isChanged = known.bytes !== bytes || known.modified !== modified
    const isClaimed = claims.take(known.uploadRequestId)
    if (isClaimed && isChanged) {
      db.run(
        'UPDATE uploads SET bytes = ?, modified = ?, sha256 = ? WHERE uploadRequestId = ?',
        ...[bytes, modified, sha256, known.uploadRequestId],
      )
    }
    return { entry: must(known.uploadRequestId), isClaimed, isNew: false, isChanged }
  }

  const journal: Journal = {
    ...reader,
    queue,
    claim: claims.take,
    renew: () => db.briefly(claims.renew),
    // A claim that cannot be released expires.
    release: uploadRequestId => unlessBusy(() => db.briefly(() => claims.release(uploadRequestId))),
    begin(entry, { queued, excluded, isPlanned = false }) {
      const work = () => {
        const known = isPlanned ? reader.get(entry.uploadRequestId) : reader.findSame(entry, excluded)
        const wasQueued = queued !== undefined && queue.remove(queued)
        if (known) return beginKnown(known, entry)
        const added = add({ ...entry, ...(wasQueued ? { uploadRequestId: queued } : {}) })
        return {
          entry: added,
          isClaimed: claims.take(added.uploadRequestId),
          isNew: true,
          isChanged: false,
        }
      }
      // The files of a batch were stored durably when they were queued, with the same ids.
      return queued === undefined ? durably(db, work) : db.write(work)
    },
    change(uploadRequestId, change) {
      const columns = Object.entries({ ...change, changedAt: clock.now() }).map(([name, value]) => ({
        name,
        value:
          name === 'session' && value !== null
            ? JSON.stringify(value)
            : typeof value === 'string'
              ? hide(value)
              : (value as number | null),
      }))
      const [row] = db.all<Row>(
        `UPDATE uploads SET ${columns.map(({ name }, index) => `${name} = ?${index + 3}`).join(', ')}
         WHERE uploadRequestId = ?1 AND EXISTS (SELECT * FROM claims WHERE uploadRequestId = ?1 AND owner = ?2)
         RETURNING *`,
        uploadRequestId,
        claims.owner,
        ...columns.map(({ value }) => value),
      )
      if (row) return entryOf(row)
      throw takenOver(must(uploadRequestId))
    },
    async changeWhenFree(uploadRequestId, change, signal) {
      const end = clock.monotonic() + busyTimeout
      for (;;) {
        try {
          return db.briefly(() => journal.change(uploadRequestId, change))
        } catch (error) {
          if (!isBusyJournal(error) || clock.monotonic() >= end) throw error
        }
        await clock.sleep(250, signal)
      }
    },
    forget: uploadRequestId =>
      db.run('DELETE FROM uploads WHERE uploadRequestId = ?', uploadRequestId) > 0 ||
      queue.remove(uploadRequestId),
    wipe: () => void db.briefly(() => db.get('PRAGMA wal_checkpoint(TRUNCATE)')),
    close() {
      try {
        unlessBusy(() => db.briefly(claims.releaseAll))
      } finally {
        db.close()
      }
    },
  }
  return journal
}

/** A journal in memory, for machines that cannot store one. */
export const openMemoryJournal = (clock: Clock): Journal => openJournal(inMemory, clock)

const takenOver = ({ file }: Entry) =>
  new Failure(`another pubctl has taken over the upload of ${file}`, {
    code: 'upload_taken',
    exitCode: exitCodes.refused,
    hint: 'This one was asleep for too long; "pubctl uploads list" shows how far the other is.',
  })

/** How long to wait for a locked journal once a file has arrived, in milliseconds. */
const busyTimeout = 60_000

const isBusyJournal = (error: unknown): boolean => error instanceof Failure && error.code === 'journal_busy'

function unlessBusy(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isBusyJournal(error)) throw error
  }
}
