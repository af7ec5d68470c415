import type { SqlValue } from '../../system/database.ts'
import { type Caller, ownershipOf } from './caller.ts'
import type { Claims } from './claims.ts'
import {
  type Entry,
  entryOf,
  type InMemory,
  isSameContent,
  type NewEntry,
  noSession,
  storedIn,
} from './entry.ts'
import type { JournalReader, Local } from './journal.ts'
import { rowsIn, type SealedDatabase, scopeOfKey } from './own-rows.ts'
import type { Queue } from './queue.ts'

/** What can be asked of the journal of this machine without changing it. */
export interface LocalJournalReader extends Local<JournalReader> {
  /** The files of batches that were not begun yet. */
  readonly queue: Pick<Queue, 'list'>
  /** The same upload, unless it failed; `excluded` are uploads that cannot be continued. */
  findSame(
    entry: Caller & Pick<NewEntry, 'fingerprint' | 'file' | 'bytes' | 'modified' | 'sha256'>,
    excluded: ReadonlySet<string>,
  ): Entry | undefined
  /** The caller's uploads of a file or of the same content that were sent, however they ended, latest first. */
  findSent(caller: Caller, book: { readonly file: string | null; readonly sha256: string | null }): Entry[]
  /** Whether a file of this size was uploaded to a service, so that it may be the same content. */
  hasSize(target: string, bytes: number): boolean
  /** The publications that the caller's uploads have concerned since a time, in milliseconds since 1970. */
  publicationsSince(caller: Caller, time: number): string[]
  /** The scope of a key, if an earlier upload with it learned it. */
  scopeOf(caller: Pick<Caller, 'target' | 'keyDigest'>): string | null
  /** Whether there are uploads to the same service with another key. */
  hasOtherKeys(caller: Pick<Caller, 'target' | 'keyDigest'>): boolean
  /** The SHA-256 of a file if it was computed before and the file has not changed. */
  knownHash(file: string, bytes: number, modified: number): string | null
  /** Whether the journal has an upload of this id that is left alone, because this user's pubctl did not record it. */
  hasForeign(uploadRequestId: string): boolean
  /** Oldest first; finished ones only with `all`. */
  list(options: { all: boolean; target?: string }): Entry[]
}

/** An empty journal, for when there is none. */
export const noJournal: LocalJournalReader = {
  isTaken: () => false,
  queue: { list: () => [] },
  findSame: () => undefined,
  findSent: () => [],
  hasSize: () => false,
  findPublication: () => [],
  publicationsSince: () => [],
  scopeOf: () => null,
  hasOtherKeys: () => false,
  knownHash: () => null,
  get: () => undefined,
  listPlanned: () => [],
  hasForeign: () => false,
  list: () => [],
}

/** Whether an upload of the same fingerprint is the one that is wanted, and did not fail. */
export function isSame(
  known: Entry,
  { bytes, modified, sha256, ...caller }: Caller & Pick<NewEntry, 'bytes' | 'modified' | 'sha256'>,
): boolean {
  const ownership = ownershipOf(known, caller)
  if (ownership === 'foreign') return false
  // The service tells whether it belongs to the caller, but only once it exists.
  if (known.publicationId === null && ownership !== 'own') return false
  if (known.stage === 'planned' || known.stage === 'created') return true
  const isUnchanged = isSameContent(known, { bytes, modified, sha256 })
  return isUnchanged && (known.stage === 'sent' || known.uploadStatus === 'available')
}

export function readerOf(
  sealed: SealedDatabase,
  { isTaken }: Pick<Claims, 'isTaken'>,
  queue: Pick<Queue, 'list'>,
  inMemory: (uploadRequestId: string) => InMemory = () => noSession,
): LocalJournalReader {
  const { db } = sealed
  const scopeOf: LocalJournalReader['scopeOf'] = caller => scopeOfKey(sealed, caller)
  const read = (sql: string, ...values: SqlValue[]): Entry[] =>
    rowsIn(sealed, sql, ...values).map(row =>
      entryOf({ ...storedIn(row), scopeId: row.scopeId ?? scopeOf(row) }, inMemory(row.uploadRequestId)),
    )
  const isForeign = (entry: Entry, caller: Caller): boolean => ownershipOf(entry, caller) === 'foreign'
  return {
    isTaken,
    queue,
    findSame: (wanted, excluded) =>
      read(
        'SELECT * FROM uploads WHERE file = ? AND +target = ? AND fingerprint = ? ORDER BY number DESC',
        ...[wanted.file, wanted.target, wanted.fingerprint],
      ).find(each => !excluded.has(each.uploadRequestId) && isSame(each, wanted)),
    findSent: (caller, { file, sha256 }) =>
      // With OR, or without the signs, SQLite would read all uploads to the service.
      read(
        `SELECT * FROM uploads WHERE number IN (
           SELECT number FROM uploads WHERE target = ?1 AND sha256 = ?2 UNION SELECT number FROM uploads WHERE file = ?3
         ) AND +target = ?1 AND +stage IN ('sent', 'finished') ORDER BY number DESC`,
        ...[caller.target, sha256, file],
      ).filter(each => !isForeign(each, caller)),
    hasSize: (target, bytes) =>
      db.get('SELECT 1 FROM uploads WHERE target = ? AND bytes = ? LIMIT 1', target, bytes) !== undefined,
    findPublication: (caller, publicationId) =>
      read(
        'SELECT * FROM uploads WHERE target = ? AND publicationId = ? ORDER BY number DESC',
        caller.target,
        publicationId,
      ).filter(each => !isForeign(each, caller)),
    publicationsSince: (caller, time) => {
      const ids = read(
        'SELECT * FROM uploads WHERE target = ? AND changedAt >= ? AND publicationId IS NOT NULL',
        caller.target,
        time,
      )
        .filter(each => !isForeign(each, caller))
        .map(({ publicationId }) => publicationId as string)
      return [...new Set(ids)]
    },
    scopeOf,
    hasOtherKeys: ({ target, keyDigest }) =>
      ['uploads', 'queue'].some(
        table =>
          db.get(
            `SELECT 1 FROM ${table} WHERE target = ? AND keyDigest IS NOT ? LIMIT 1`,
            target,
            keyDigest,
          ) !== undefined,
      ),
    knownHash: (file, bytes, modified) =>
      rowsIn(
        sealed,
        `SELECT * FROM uploads WHERE file = ? AND bytes = ? AND modified = ? AND sha256 IS NOT NULL
         ORDER BY number DESC`,
        ...[file, bytes, modified],
      )[0]?.sha256 ?? null,
    get: uploadRequestId => read('SELECT * FROM uploads WHERE uploadRequestId = ?', uploadRequestId)[0],
    hasForeign: uploadRequestId =>
      (['uploads', 'queue'] as const).some(table =>
        db
          .all<Readonly<Record<string, SqlValue>>>(
            `SELECT * FROM ${table} WHERE uploadRequestId = ?`,
            uploadRequestId,
          )
          .some(row => !sealed.seal.fits(table, row)),
      ),
    listPlanned: target =>
      read(`SELECT * FROM uploads WHERE stage = 'planned' AND target = ? ORDER BY number`, target),
    list: ({ all, target }) =>
      read(
        `SELECT * FROM uploads WHERE (? OR stage <> 'finished') AND (? IS NULL OR target = ?) ORDER BY number`,
        ...[all ? 1 : 0, target ?? null, target ?? null],
      ),
  }
}
