import { openDatabase, openToRead } from '../../system/database.ts'
import { isBusy, isDamaged, isUnwritable, remedyOf } from '../../system/database-error.ts'
import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'
import { serialise } from '../../system/exact-json.ts'
import { guarded } from '../../system/guarded.ts'
import type { Clock } from '../../system/world.ts'
import { openClaims } from './claims.ts'
import { durably } from './durably.ts'
import {
  type Change,
  type Entry,
  entryOf,
  type InMemory,
  isSameContent,
  type NewEntry,
  newlyStored,
  noSession,
  type StoredEntry,
} from './entry.ts'
import { groupWrites } from './grouped-writes.ts'
import type { Awaitable, Begun, Journal, Local } from './journal.ts'
import { type LocalJournalReader, noJournal, readerOf } from './local-reader.ts'
import { openQueue, type Queue } from './queue.ts'
import { migrations, newSchema } from './schema.ts'
import { type ForeignRow, openSeal } from './seal.ts'
import { notOwn, struckOut, takenOver } from './taken-over.ts'
import { openWrittenRows } from './written-rows.ts'

interface BeginOptions {
  /** The file's id in the queue; beginning removes it there. */
  readonly queued: string | undefined
  /** Uploads of the same file that cannot be continued. */
  readonly excluded: ReadonlySet<string>
}

/** The journal of this machine: a record of this user's uploads, and the files of batches that were not begun yet. */
export interface LocalJournal
  extends LocalJournalReader,
    Pick<Journal, Grouped>,
    Omit<Local<Journal>, Grouped> {
  readonly queue: Queue
  /** The same upload, unless it failed; otherwise a new one. Two processes cannot both begin the same upload. */
  beginSame(entry: NewEntry, options: BeginOptions): Awaitable<Begun>
}

/** What is written together with what other uploads come to at about the same time. */
type Grouped = 'begin' | 'change' | 'changeSoon' | 'changeWhenFree'

interface JournalOptions {
  readonly clock: Clock
  /** What rows are sealed with, so that only those of this user are believed. It must not be kept beside the journal. */
  readonly key: Buffer
  /** Called once for each row that is left alone, because it was not sealed with the key. */
  readonly onForeign?: (row: ForeignRow) => void
  /** Removes secrets from what is stored of the service's answers. */
  readonly hide?: (text: string) => string
}

const optionsOf = (path: string) => ({
  schema: migrations,
  newSchema,
  unusable: (trouble: string, cause?: unknown) => unusableJournal(path, trouble, cause),
  // Its row does not fit its seal and is left alone, and the others are kept.
  damagedText: 'replaced' as const,
})

/** Opens the journal read-only; an empty one if there is none. */
export function readLocalJournal(
  path: string,
  { clock, key, onForeign = () => undefined }: JournalOptions,
): LocalJournalReader & Pick<LocalJournal, 'close'> {
  const options = optionsOf(path)
  const raw = openToRead(path, options)
  if (!raw) return { ...noJournal, close() {} }
  const db = guarded(raw, options.unusable)
  const seal = openSeal(key, onForeign)
  const claims = openClaims(db, clock.now)
  return { ...readerOf({ db, seal }, claims, openQueue(db, claims, clock.now, seal)), close: db.close }
}

/** Opens the journal and creates its folder if needed; only their owner can access both. */
export function openLocalJournal(
  path: string,
  { clock, key, onForeign = () => undefined, hide = text => text }: JournalOptions,
): LocalJournal {
  const options = optionsOf(path)
  const db = guarded(openDatabase(path, options), options.unusable)
  const seal = openSeal(key, onForeign)
  /** The sessions that this process got. Whoever takes an upload over asks the service for one of its own. */
  const sessions = new Map<string, InMemory>()
  const inMemory = (uploadRequestId: string): InMemory => sessions.get(uploadRequestId) ?? noSession
  const claims = openClaims(db, clock.now)
  const queue = openQueue(db, claims, clock.now, seal)
  const reader = readerOf({ db, seal }, claims, queue, inMemory)
  const rows = openWrittenRows(db, seal, claims)
  /** Each is read once by the process that carries its upload out, which asks for the entry after each change. */
  const creations = new Map<string, Entry['creation']>()
  const entryIn = (stored: StoredEntry): Entry => {
    const { uploadRequestId } = stored
    const entry = entryOf(stored, inMemory(uploadRequestId), creations.get(uploadRequestId))
    creations.set(uploadRequestId, entry.creation)
    return entry
  }
  const must = (uploadRequestId: string): Entry => {
    const entry = reader.get(uploadRequestId)
    if (entry) return entry
    throw reader.hasForeign(uploadRequestId) ? notOwn(uploadRequestId) : struckOut(uploadRequestId)
  }
  const beginKnown = (known: Entry, { file, bytes, modified, sha256 }: NewEntry): Begun => {
    const { uploadRequestId } = known
    const isChanged = !isSameContent(known, { bytes, modified, sha256 })
    const isClaimed = claims.take(uploadRequestId)
    if (isClaimed && (isChanged || known.modified !== modified || known.file !== file))
      rows.change(uploadRequestId, { file, bytes, modified, sha256 })
    return { entry: must(uploadRequestId), isClaimed, isNew: false, isChanged }
  }
  const beginNew = (entry: NewEntry, startedAt = clock.now()): Begun => {
    const { uploadRequestId } = entry
    const creation = { ...entry.creation, uploadRequestId }
    const facts = { creation: serialise(creation), startedAt, changedAt: clock.now() }
    const added = rows.add(newlyStored(entry, facts))
    creations.set(uploadRequestId, creation)
    // A file of the queue is claimed already.
    return { entry: entryIn(added), isClaimed: claims.keep(uploadRequestId), isNew: true, isChanged: false }
  }

  /** What is written with the next change of an upload, or soon. */
  const unwritten = new Map<string, Change>()
  const hidden = (change: Change): Change => {
    const shown: Record<string, unknown> = { ...change }
    for (const name in shown) {
      const value = shown[name]
      if (typeof value === 'string') shown[name] = hide(value)
    }
    return shown
  }
  /** Writes a change, with what was not written before, and gives what is stored; undefined where it may not be changed. */
  const write = (uploadRequestId: string, change: Change): StoredEntry | undefined => {
    const { session: _, sessionEnds: __, ...stored } = { ...unwritten.get(uploadRequestId), ...change }
    const row = rows.change(uploadRequestId, { ...stored, changedAt: clock.now() })
    unwritten.delete(uploadRequestId)
    return row
  }
  const keepSession = (uploadRequestId: string, { session, sessionEnds }: Change): void => {
    if (session !== undefined) sessions.set(uploadRequestId, { session, sessionEnds: sessionEnds ?? null })
  }
  /** What a transaction that fails has not written stays unwritten. */
  const transact = <T>(work: () => T, isDurable: boolean): T => {
    const before = [...unwritten]
    try {
      return claims.within(() => (isDurable ? durably(db, work) : db.write(work)))
    } catch (error) {
      for (const [uploadRequestId, change] of before) unwritten.set(uploadRequestId, change)
      throw error
    }
  }
  // What cannot be written or given back now is so with what comes next, or at the end.
  const group = groupWrites({
    ...{ clock, within: heldFor, promptly },
    transact: (work, { isDurable, isAwaited }) =>
      isAwaited ? transact(work, isDurable) : db.briefly(() => transact(work, isDurable)),
    isAll: waiting => waiting >= claims.count(),
    writeRest() {
      for (const [uploadRequestId, change] of unwritten) write(uploadRequestId, change)
      claims.giveBack()
    },
  })
  const changeNow = (uploadRequestId: string, change: Change): Entry => {
    const row = write(uploadRequestId, hidden(change))
    // What another wrote must not get a seal by being changed.
    if (!row) throw takenOver(must(uploadRequestId))
    keepSession(uploadRequestId, change)
    return entryIn(row)
  }

  const journal: LocalJournal = {
    ...reader,
    queue,
    claim: claims.take,
    renew: () => db.briefly(claims.renew),
    release(uploadRequestId) {
      // Of an upload that was broken off.
      if (unwritten.has(uploadRequestId)) group.flush()
      rows.drop(uploadRequestId)
      creations.delete(uploadRequestId)
      claims.release(uploadRequestId)
      group.soon()
    },
    begin: entry =>
      group.addPrompt(
        () => {
          const known = reader.get(entry.uploadRequestId)
          if (!known && reader.hasForeign(entry.uploadRequestId)) throw notOwn(entry.uploadRequestId)
          return known ? beginKnown(known, entry) : beginNew(entry)
        },
        { isDurable: true },
      ),
    beginSame(entry, { queued, excluded }) {
      const work = () => {
        const known = reader.findSame(entry, excluded)
        if (known) {
          if (queued !== undefined) queue.remove(queued)
          return beginKnown(known, entry)
        }
        const queuedAt = queued === undefined ? undefined : queue.begin(queued)
        if (queued === undefined || queuedAt === undefined) return beginNew(entry)
        // What an earlier run may have made under its id is no older than this.
        const begun = beginNew({ ...entry, uploadRequestId: queued }, queuedAt)
        return { ...begun, mayBeSent: !queue.isOwn(queued) }
      }
      // The files of a batch were stored durably when they were queued, with the same ids.
      return group.addPrompt(work, { isDurable: queued === undefined })
    },
    change: (uploadRequestId, change) => group.addPrompt(() => changeNow(uploadRequestId, change)),
    async changeSoon(uploadRequestId, change, signal) {
      const row = rows.latest(uploadRequestId)
      if (!row) return await journal.changeWhenFree(uploadRequestId, change, signal)
      const all = { ...unwritten.get(uploadRequestId), ...hidden(change) }
      unwritten.set(uploadRequestId, all)
      keepSession(uploadRequestId, change)
      group.soon()
      return { ...entryIn(row), ...all, ...inMemory(uploadRequestId) }
    },
    async changeWhenFree(uploadRequestId, change, signal) {
      const end = clock.monotonic() + busyTimeout
      for (;;) {
        try {
          return await group.add(() => changeNow(uploadRequestId, change))
        } catch (error) {
          if (!isBusyJournal(error) || clock.monotonic() >= end) throw error
        }
        await clock.sleep(250, signal)
      }
    },
    forget(uploadRequestId) {
      unwritten.delete(uploadRequestId)
      return (
        db.run('DELETE FROM uploads WHERE uploadRequestId = ?', uploadRequestId) > 0 ||
        queue.remove(uploadRequestId)
      )
    },
    close() {
      try {
        group.flush()
        // A claim that cannot be released expires.
        unlessBusy(() => db.briefly(claims.releaseAll))
      } finally {
        db.close()
      }
    },
  }
  return journal
}

/** Within how many milliseconds others get what was released, and what is written together is written. */
const heldFor = 50

/** Within how many milliseconds what a request waits for is written: with that of others, which saves half of all transactions. */
const promptly = 1

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

/** The failure for a journal that cannot be used; `cause` decides its code and hint. */
function unusableJournal(path: string, trouble: string, cause: unknown): Failure {
  if (isBusy(cause)) {
    return new Failure(`the journal of uploads ${path} ${trouble}`, {
      code: 'journal_busy',
      exitCode: exitCodes.waitExhausted,
      hint: 'What was sent is intact. Once the other program is done, run: pubctl uploads resume',
      cause,
    })
  }
  return new UsageFailure(`the journal of uploads ${path} ${trouble}`, {
    code: isUnwritable(cause) ? 'journal_unwritable' : 'journal_unusable',
    hint: isUnwritable(cause)
      ? remedyOf(cause)
      : isDamaged(cause)
        ? 'Move the file away; uploads then start afresh, and pubctl no longer knows what was uploaded.'
        : 'Update pubctl, or name another folder in PUBCTL_DATA_DIR.',
    cause,
  })
}
