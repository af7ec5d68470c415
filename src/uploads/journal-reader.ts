import type { Database } from '../system/database.ts'
import type { Claims } from './claims.ts'
import { type Entry, entryOf, type NewEntry, type Row } from './entry.ts'
import type { Queue } from './queue.ts'

/** What can be asked of the journal without changing it. */
export interface JournalReader extends Pick<Claims, 'isTaken'> {
  /** The files of batches that nothing is known of yet. */
  readonly queue: Pick<Queue, 'list'>
  /** The same upload if it is not over or ended well; `passedOver` look like it and cannot be gone on with. */
  findSame(
    entry: Pick<NewEntry, 'target' | 'fingerprint' | 'bytes' | 'modified'>,
    passedOver: ReadonlySet<string>,
  ): Entry | undefined
  /** Uploads of the same content to the same target, the latest first, that did not fail as far as is known. */
  findContent(target: string, sha256: string): Entry[]
  /** Uploads to a publication, the latest first. */
  findPublication(target: string, publicationId: string): Entry[]
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
  knownHash: () => null,
  get: () => undefined,
  list: () => [],
}

export function readerOf(
  db: Pick<Database, 'get' | 'all'>,
  { isTaken }: Pick<Claims, 'isTaken'>,
  queue: Pick<Queue, 'list'>,
): JournalReader {
  const read = (sql: string, ...values: (string | number | null)[]): Entry[] =>
    db.all<Row>(sql, ...values).map(entryOf)
  return {
    isTaken,
    queue,
    findSame: ({ target, fingerprint, bytes, modified }, passedOver) =>
      read(
        'SELECT * FROM uploads WHERE target = ? AND fingerprint = ? ORDER BY number DESC',
        target,
        fingerprint,
      ).find(each => {
        if (passedOver.has(each.uploadRequestId)) return false
        if (each.stage === 'planned' || each.stage === 'created') return true
        const isUnchanged = each.bytes === bytes && each.modified === modified
        return isUnchanged && (each.stage === 'sent' || each.uploadStatus === 'available')
      }),
    findContent: (target, sha256) =>
      read(
        `SELECT * FROM uploads WHERE target = ? AND sha256 = ?
           AND (stage = 'sent' OR stage = 'finished' AND uploadStatus = 'available') ORDER BY number DESC`,
        target,
        sha256,
      ),
    findPublication: (target, publicationId) =>
      read(
        'SELECT * FROM uploads WHERE target = ? AND publicationId = ? ORDER BY number DESC',
        target,
        publicationId,
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
