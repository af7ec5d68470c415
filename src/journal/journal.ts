import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import { inMemory, openDatabase, openToRead } from '../system/database.ts'
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
  objectKeysSchema,
  type Row,
} from './entry.ts'
import { guarded, unusable } from './journal-errors.ts'
import { type JournalReader, noJournal, readerOf } from './journal-reader.ts'
import { openQueue, type Queue, queueSchema } from './queue.ts'

/** An upload that is to be carried out, and how it stands in the journal. */
interface Begun {
  readonly entry: Entry
  /** False while anybody else carries it out. */
  readonly isClaimed: boolean
  /** Whether nothing was known of it, so that nothing of it can have reached the service. */
  readonly isNew: boolean
  /** Whether the file is another than the one that it was begun with. */
  readonly isChanged: boolean
}

interface BeginOptions {
  /** The id under which the file stands in the queue; it leaves the queue by this. */
  readonly queued: string | undefined
  /** Uploads that look like the same one, and that cannot be gone on with. */
  readonly passedOver: ReadonlySet<string>
}

/** The record of every upload that this user started, and how far each came; it outlives the process. */
export interface Journal extends JournalReader, Pick<Claims, 'renew' | 'release'> {
  readonly queue: Queue
  /**
   * The same upload if it is not over or ended well; a new one where there is none. No two processes can both begin the
   * same upload.
   */
  begin(entry: NewEntry, options: BeginOptions): Begun
  /** Throws when this process does not carry it out, or no longer. */
  change(uploadRequestId: string, change: Change): Entry
  /**
   * The same for what must not be lost, such as the arrival of a file: a journal that another process is at work in is
   * waited for, for a minute, while everything else goes on. Throws `journal_busy` after that.
   */
  changeWhenFree(uploadRequestId: string, change: Change, signal: AbortSignal): Promise<Entry>
  /** Strikes an upload out, or a file from the queue. */
  forget(uploadRequestId: string): boolean
  claim(uploadRequestId: string): boolean
  /** Wipes out the addresses of uploads that are over: they would stay for a while in the database's own log. */
  wipe(): void
  close(): void
}

const optionsOf = (path: string) => ({
  schema: [
    `${entrySchema}\n${claimsSchema}\n${queueSchema}`,
    byPublicationSchema,
    objectKeysSchema,
    callerSchema,
  ],
  unusable: (trouble: string, cause?: unknown) => unusable(path, trouble, cause),
})

/** Opens the journal to read from it alone, and makes none where there is none. */
export function readJournal(path: string, clock: Clock): JournalReader & Pick<Journal, 'close'> {
  const raw = openToRead(path, optionsOf(path))
  if (!raw) return { ...noJournal, close() {} }
  const db = guarded(raw, path)
  const claims = openClaims(db)
  return { ...readerOf(db, claims, openQueue(db, claims, clock.now)), close: db.close }
}

/**
 * Opens the journal, whose folder is made when missing; file and folder are their owner's alone. `hide` takes secrets out
 * of what is written down of the service's answers; a session is meant to hold its own.
 */
export function openJournal(
  path: string,
  clock: Clock,
  hide: (text: string) => string = text => text,
): Journal {
  const db = guarded(openDatabase(path, optionsOf(path)), path)
  // What is deleted or overwritten is wiped out, since a presigned URL is a key to one upload.
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
    const { uploadRequestId, fingerprint, file, bytes, modified, sha256, coverWish, editionOf } = entry
    const { target, scopeId, keyDigest } = entry
    const creation = JSON.stringify({ ...entry.creation, uploadRequestId })
    const now = clock.now()
    const [row] = db.all<Row>(
      `INSERT INTO uploads (uploadRequestId, target, fingerprint, file, bytes, modified, sha256, creation, coverWish,
         editionOf, scopeId, keyDigest, stage, startedAt, changedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?) RETURNING *`,
      ...[uploadRequestId, target, fingerprint, file, bytes, modified, sha256, creation, coverWish],
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
    // A claim that cannot be given up ends by itself.
    release: uploadRequestId => unlessBusy(() => db.briefly(() => claims.release(uploadRequestId))),
    begin(entry, { queued, passedOver }) {
      const work = () => {
        const known = reader.findSame(entry, passedOver)
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
      // A batch was written down durably as a whole, and with the same ids.
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

/** A journal for a machine on which none can be kept: it ends with the process. */
export const openMemoryJournal = (clock: Clock): Journal => openJournal(inMemory, clock)

const takenOver = ({ file }: Entry) =>
  new Failure(`another pubctl has taken over the upload of ${file}`, {
    code: 'upload_taken',
    exitCode: exitCodes.refused,
    hint: 'This one was asleep for too long; "pubctl uploads list" shows how far the other is.',
  })

/** How long the journal is waited for once a file has arrived, in milliseconds. */
const busyTimeout = 60_000

const isBusyJournal = (error: unknown): boolean => error instanceof Failure && error.code === 'journal_busy'

function unlessBusy(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isBusyJournal(error)) throw error
  }
}
