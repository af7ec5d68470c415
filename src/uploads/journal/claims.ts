import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../../system/database.ts'
import { insertMany } from '../../system/insert-many.ts'
import { isAlive } from '../../system/is-alive.ts'

/** Claims on uploads, so that no two processes carry out the same one. */
export interface Claims {
  /** Claims an upload for this process; false if any process has claimed it, this one included. */
  take(uploadRequestId: string): boolean
  /** Claims uploads whose ids are new, so that no process can have claimed them. */
  takeNew(uploadRequestIds: readonly string[]): void
  /** Keeps a claim of this process, or takes one; false if another process has taken it meanwhile. */
  keep(uploadRequestId: string): boolean
  /** How many uploads this process has claimed. */
  count(): number
  /** The id of this process. After a long suspension, another process may own what it claimed. */
  readonly owner: string
  /** Whether another living process carries it out. */
  isTaken(uploadRequestId: string): boolean
  /** Renews the claims of this process; a claim that is not renewed for half a minute expires. */
  renew(): void
  /** Releases a claim here; others get it once it is given back. */
  release(uploadRequestId: string): void
  /** Gives back what was released, together: a transaction for each would take a tenth of all that the journal takes. */
  giveBack(): void
  /** Releases all claims of this process. */
  releaseAll(): void
  /** Does the work of a transaction. If it throws, what was claimed in it is claimed no more, as in the database. */
  within<T>(work: () => T): T
}

export const claimsSchema = `CREATE TABLE claims (
  uploadRequestId TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  seen INTEGER NOT NULL
) WITHOUT ROWID;`

interface Claim {
  readonly owner: string
  readonly host: string
  readonly pid: number
  readonly renewedAt: number
}

/** A claim expires after so many milliseconds without renewal. */
const life = 30_000

export function openClaims(db: Database, now: () => number): Claims {
  const owner = randomUUID()
  const host = hostname()
  /** The uploads that this process has claimed: a batch can name the same file twice. */
  const mine = new Set<string>()
  /** Those that were claimed in the work that is being done, which may be within other work. */
  const taken: string[] = []
  let depth = 0
  const within = <T>(work: () => T): T => {
    const before = taken.length
    depth++
    try {
      return work()
    } catch (error) {
      for (const uploadRequestId of taken.splice(before)) mine.delete(uploadRequestId)
      throw error
    } finally {
      depth--
      if (depth === 0) taken.length = 0
    }
  }
  /** Those that are still in the database. */
  const released = new Set<string>()
  const giveBack = (): void => {
    if (released.size === 0) return
    db.run(
      'DELETE FROM claims WHERE uploadRequestId IN (SELECT value FROM json_each(?)) AND owner = ?',
      ...[JSON.stringify([...released]), owner],
    )
    released.clear()
  }
  const holderOf = (uploadRequestId: string) =>
    db.get<Claim>('SELECT owner, host, pid, renewedAt FROM claims WHERE uploadRequestId = ?', uploadRequestId)
  /** Whether it is still this process that holds it. */
  const isHeld = (uploadRequestId: string): boolean =>
    db.get('SELECT 1 FROM claims WHERE uploadRequestId = ? AND owner = ?', uploadRequestId, owner) !==
    undefined
  const isTaken = (uploadRequestId: string): boolean => {
    const held = holderOf(uploadRequestId)
    if (held === undefined || held.owner === owner || now() - held.renewedAt >= life) return false
    // Only processes of this host can be looked up; a container can share the journal without sharing processes.
    return held.host !== host || isAlive(held.pid)
  }
  const columns = '(uploadRequestId, owner, host, pid, renewedAt)'
  const claimOf = (uploadRequestId: string) => [uploadRequestId, owner, host, process.pid, now()]
  const put = (otherwise: 'IGNORE' | 'REPLACE', uploadRequestId: string): boolean =>
    db.run(
      `INSERT OR ${otherwise} INTO claims ${columns} VALUES (?, ?, ?, ?, ?)`,
      ...claimOf(uploadRequestId),
    ) > 0
  const noteMine = (uploadRequestId: string): void => {
    mine.add(uploadRequestId)
    taken.push(uploadRequestId)
    released.delete(uploadRequestId)
  }
  const take = (uploadRequestId: string): boolean =>
    within(() =>
      db.write(() => {
        if (mine.has(uploadRequestId)) return false
        // Hardly any upload has a claim before, so that none is looked for.
        if (!put('IGNORE', uploadRequestId)) {
          if (isTaken(uploadRequestId)) return false
          put('REPLACE', uploadRequestId)
        }
        noteMine(uploadRequestId)
        return true
      }),
    )
  return {
    count: () => mine.size,
    owner,
    isTaken,
    take,
    takeNew: ids =>
      within(() =>
        db.write(() => {
          insertMany(db, `INSERT INTO claims ${columns}`, ids.map(claimOf))
          ids.forEach(noteMine)
        }),
      ),
    keep(uploadRequestId) {
      if (mine.has(uploadRequestId) && isHeld(uploadRequestId)) return true
      mine.delete(uploadRequestId)
      return take(uploadRequestId)
    },
    renew: () => void db.run('UPDATE claims SET renewedAt = ? WHERE owner = ?', now(), owner),
    release(uploadRequestId) {
      if (mine.delete(uploadRequestId)) released.add(uploadRequestId)
    },
    giveBack,
    within,
    releaseAll: () => void db.run('DELETE FROM claims WHERE owner = ?', owner),
  }
}
