import { randomUUID } from 'node:crypto'
import type { Database } from '../system/database.ts'
import { type Caller, ownershipOf } from './caller.ts'
import type { Claims } from './claims.ts'
import { durably } from './durably.ts'

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

/** The files of batches that were not begun yet. A whole batch is stored before its first request. */
export interface Queue {
  /**
   * Stores the files of a batch, claims them, and returns for each its id and when its batch began. Files that an
   * interrupted batch left behind are taken over.
   */
  add(
    caller: Caller,
    rows: readonly Pick<Queued, 'file' | 'editionOf' | 'request'>[],
  ): Pick<Queued, 'uploadRequestId' | 'queuedAt'>[]
  list(options: { target?: string }): Queued[]
  remove(uploadRequestId: string): boolean
}

/** The table of the queue. */
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

// Uploads with the same key have the same scope.
const columns = `uploadRequestId, target, keyDigest, file, editionOf, request, queuedAt, coalesce(scopeId,
  (SELECT known.scopeId FROM uploads AS known
   WHERE known.target = queue.target AND known.keyDigest = queue.keyDigest AND known.scopeId IS NOT NULL LIMIT 1)
) AS scopeId`

export function openQueue(db: Database, claims: Claims, now: () => number): Queue {
  return {
    add: (caller, rows) =>
      durably(db, () =>
        rows.map(({ file, editionOf, request }) => {
          const { target, scopeId, keyDigest } = caller
          const left = db
            .all<Queued>(
              `SELECT ${columns} FROM queue WHERE target = ? AND file = ? AND editionOf IS ? AND request = ?`,
              ...[target, file, editionOf, request],
            )
            .find(each => ownershipOf(each, caller) === 'own' && claims.take(each.uploadRequestId))
          if (left) return left
          const [uploadRequestId, queuedAt] = [randomUUID(), now()]
          db.run(
            `INSERT INTO queue (uploadRequestId, target, scopeId, keyDigest, file, editionOf, request, queuedAt)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            ...[uploadRequestId, target, scopeId, keyDigest, file, editionOf, request, queuedAt],
          )
          claims.take(uploadRequestId)
          return { uploadRequestId, queuedAt }
        }),
      ),
    list: ({ target }) =>
      db.all<Queued>(
        `SELECT ${columns} FROM queue WHERE ? IS NULL OR target = ? ORDER BY number`,
        target ?? null,
        target ?? null,
      ),
    remove: uploadRequestId =>
      db.write(() => {
        claims.release(uploadRequestId)
        return db.run('DELETE FROM queue WHERE uploadRequestId = ?', uploadRequestId) > 0
      }),
  }
}
