import type { Database } from '../system/database.ts'
import { type Caller, ownershipOf } from './caller.ts'
import type { Claims } from './claims.ts'
import { type Entry, entryOf, type NewEntry, type Row } from './entry.ts'
import type { Queue } from './queue.ts'

/** What can be asked of the journal without changing it. */
export interface JournalReader extends Pick<Claims, 'isTaken'> {
  /** The files of batches that nothing is known of yet. */
  readonly queue: Pick<Queue, 'list'>
  /** The same upload if it is not over or ended well; `passedOver` look like it and cannot be gone on with. */
  findSame(
    entry: Caller & Pick<NewEntry, 'fingerprint' | 'bytes' | 'modified'>,
    passedOver: ReadonlySet<string>,
  ): Entry | undefined
  /** The caller's uploads of the same content, the latest first, that did not fail as far as is known. */
  findContent(caller: Caller, sha256: string): Entry[]
  /** The caller's uploads to a publication, the latest first. */
  findPublication(caller: Caller, publicationId: string): Entry[]
  /** The scope of a key, as an upload with it was told. */
  scopeOf(caller: Pick<Caller, 'target' | 'keyDigest'>): string | null
  /** Whether there are uploads to the same service with another key. */
  hasOtherKeys(caller: Pick<Caller, 'target' | 'keyDigest'>): boolean
  /** The SHA-256 of a file as it was computed before, if it has not changed since. */
  knownHash(file: string, bytes: number, modified: number): string | null
  get(uploadRequestId: string): Entry | undefined
  /** The newest last; only those that are not over unless `all`. */
  list(options: { all: boolean; target?: string }): Entry[]
}

/** What is read where there is no journal. */
export const noJournal: JournalReader = {
  isTaken: () => false,
  queue: { list: () => [] },
  findSame: () => undefined,
  findContent: () => [],
  findPublication: () => [],
  scopeOf: () => null,
  hasOtherKeys: () => false,
  knownHash: () => null,
  get: () => undefined,
  list: () => [],
}

export function readerOf(
  db: Pick<Database, 'get' | 'all'>,
  { isTaken }: Pick<Claims, 'isTaken'>,
  queue: Pick<Queue, 'list'>,
): JournalReader {
  const scopeOf: JournalReader['scopeOf'] = ({ target, keyDigest }) =>
    db.get<{ scopeId: string }>(
      'SELECT scopeId FROM uploads WHERE target = ? AND keyDigest = ? AND scopeId IS NOT NULL LIMIT 1',
      target,
      keyDigest,
    )?.scopeId ?? null
  // What another upload with the same key has told of its scope holds for it as well.
  const read = (sql: string, ...values: (string | number | null)[]): Entry[] =>
    db.all<Row>(sql, ...values).map(row => entryOf({ ...row, scopeId: row.scopeId ?? scopeOf(row) }))
  const isForeign = (entry: Entry, caller: Caller): boolean => ownershipOf(entry, caller) === 'foreign'
  return {
    isTaken,
    queue,
    findSame: ({ fingerprint, bytes, modified, ...caller }, passedOver) =>
      read(
        'SELECT * FROM uploads WHERE target = ? AND fingerprint = ? ORDER BY number DESC',
        caller.target,
        fingerprint,
      ).find(each => {
        if (passedOver.has(each.uploadRequestId) || isForeign(each, caller)) return false
        // The service tells whether it is the caller's, but only of what is there.
        if (each.publicationId === null && ownershipOf(each, caller) !== 'own') return false
        if (each.stage === 'planned' || each.stage === 'created') return true
        const isUnchanged = each.bytes === bytes && each.modified === modified
        return isUnchanged && (each.stage === 'sent' || each.uploadStatus === 'available')
      }),
    findContent: (caller, sha256) =>
      read(
        `SELECT * FROM uploads WHERE target = ? AND sha256 = ?
           AND (stage = 'sent' OR stage = 'finished' AND uploadStatus = 'available') ORDER BY number DESC`,
        caller.target,
        sha256,
      ).filter(each => !isForeign(each, caller)),
    findPublication: (caller, publicationId) =>
      read(
        'SELECT * FROM uploads WHERE target = ? AND publicationId = ? ORDER BY number DESC',
        caller.target,
        publicationId,
      ).filter(each => !isForeign(each, caller)),
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
      db.get<{ sha256: string }>(
        `SELECT sha256 FROM uploads WHERE file = ? AND bytes = ? AND modified = ? AND sha256 IS NOT NULL
         ORDER BY number DESC LIMIT 1`,
        ...[file, bytes, modified],
      )?.sha256 ?? null,
    get: uploadRequestId => read('SELECT * FROM uploads WHERE uploadRequestId = ?', uploadRequestId)[0],
    list: ({ all, target }) =>
      read(
        `SELECT * FROM uploads WHERE (? OR stage <> 'finished') AND (? IS NULL OR target = ?) ORDER BY number`,
        ...[all ? 1 : 0, target ?? null, target ?? null],
      ),
  }
}
