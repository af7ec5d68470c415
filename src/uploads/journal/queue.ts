import { randomUUID } from 'node:crypto'
import type { Database, SqlValue } from '../../system/database.ts'
import { insertMany } from '../../system/insert-many.ts'
import { type Caller, ownershipOf } from './caller.ts'
import type { Claims } from './claims.ts'
import { durably } from './durably.ts'
import { scopeOfKey } from './own-rows.ts'
import type { Seal } from './seal.ts'

/** A file of a batch that was not begun yet. */
export interface Queued extends Caller {
  /** The id that its upload will have. */
  readonly uploadRequestId: string
  /** The file's absolute path. */
  readonly file: string
  readonly editionOf: string | null
  /** Overrides and options, as JSON. */
  readonly request: string
  readonly queuedAt: number
}

type NewlyQueued = Pick<Queued, 'file' | 'editionOf' | 'request'>

/** The files of batches that were not begun yet. A whole batch is stored before its first request. */
export interface Queue {
  /**
   * Stores the files of a batch, claims them, and returns for each its id and when its batch began. Files that an
   * interrupted batch left behind are taken over.
   */
  add(caller: Caller, rows: readonly NewlyQueued[]): Pick<Queued, 'uploadRequestId' | 'queuedAt'>[]
  list(options: { target?: string }): Queued[]
  remove(uploadRequestId: string): boolean
}

interface LocalQueue extends Queue {
  /** Removes a file whose upload begins with the same id, and leaves the claim on it. Returns when it was queued, if it was. */
  begin(uploadRequestId: string): number | undefined
  /** Whether this process queued the file, so that no earlier one can have begun its upload. */
  isOwn(uploadRequestId: string): boolean
}

export const queueSchema = `CREATE TABLE queue (
  number INTEGER PRIMARY KEY,
  uploadRequestId TEXT NOT NULL UNIQUE,
  target TEXT NOT NULL,
  file TEXT NOT NULL,
  editionOf TEXT,
  request TEXT NOT NULL,
  queuedAt INTEGER NOT NULL
);
CREATE INDEX queueByFile ON queue (target, file);`

type QueueRow = Queued & { readonly number: number; readonly mac: string | null }

export function openQueue(db: Database, claims: Claims, now: () => number, seal: Seal): LocalQueue {
  const read = (where: string, ...values: SqlValue[]): Queued[] => {
    const scopes = new Map<string, string | null>()
    const scopeOf = (row: QueueRow): string | null => {
      const key = JSON.stringify([row.target, row.keyDigest])
      if (!scopes.has(key)) scopes.set(key, scopeOfKey({ db, seal }, row))
      return scopes.get(key) ?? null
    }
    return db
      .all<QueueRow>(`SELECT * FROM queue WHERE ${where} ORDER BY number`, ...values)
      .filter(row => seal.fits('queue', { ...row }))
      .map(row => ({ ...row, scopeId: row.scopeId ?? scopeOf(row) }))
      .map(({ number: _, mac: __, ...row }) => row)
  }
  const begin = (uploadRequestId: string): number | undefined =>
    db.get<Pick<Queued, 'queuedAt'>>(
      'DELETE FROM queue WHERE uploadRequestId = ? RETURNING queuedAt',
      uploadRequestId,
    )?.queuedAt
  const own = new Set<string>()
  const newRow = ({ target, scopeId, keyDigest }: Caller, { file, editionOf, request }: NewlyQueued) => ({
    ...{ uploadRequestId: randomUUID(), target, scopeId, keyDigest, file, editionOf, request },
    queuedAt: now(),
  })
  const insert = (rows: readonly ReturnType<typeof newRow>[]): void => {
    insertMany(
      db,
      'INSERT INTO queue (uploadRequestId, target, scopeId, keyDigest, file, editionOf, request, queuedAt, mac)',
      rows.map(row => [...Object.values(row), seal.macOf('queue', row)]),
    )
    const ids = rows.map(({ uploadRequestId }) => uploadRequestId)
    claims.takeNew(ids)
    for (const id of ids) own.add(id)
  }
  return {
    begin,
    isOwn: uploadRequestId => own.has(uploadRequestId),
    add: (caller, rows) =>
      claims.within(() =>
        durably(db, () => {
          const leftOf = ({ file, editionOf, request }: NewlyQueued): Queued[] =>
            read(
              'target = ? AND file = ? AND editionOf IS ? AND request = ?',
              caller.target,
              file,
              editionOf,
              request,
            ).filter(each => ownershipOf(each, caller) === 'own')
          const takenOver: NewlyQueued[] = []
          const isEmpty = db.get('SELECT 1 FROM queue LIMIT 1') === undefined
          const inserted: ReturnType<typeof newRow>[] = []
          const added = rows.map(row => {
            const left = isEmpty ? undefined : leftOf(row).find(each => claims.take(each.uploadRequestId))
            if (left !== undefined) {
              takenOver.push(row)
              return left
            }
            const queued = newRow(caller, row)
            inserted.push(queued)
            return queued
          })
          insert(inserted)
          // Each of several interrupted batches may have left the same file.
          for (const { uploadRequestId } of takenOver.flatMap(leftOf)) {
            if (!claims.take(uploadRequestId)) continue
            claims.release(uploadRequestId)
            begin(uploadRequestId)
          }
          return added
        }),
      ),
    list: ({ target }) => read('? IS NULL OR target = ?', target ?? null, target ?? null),
    remove: uploadRequestId =>
      db.write(() => {
        claims.release(uploadRequestId)
        return begin(uploadRequestId) !== undefined
      }),
  }
}
