import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../system/database.ts'
import { isAlive } from '../system/is-alive.ts'

/** Who carries out which upload, so that no two processes carry out the same one. */
export interface Claims {
  /** Makes this process the one that carries out an upload; false while anybody does, be it this very process. */
  take(uploadRequestId: string): boolean
  /** Who this process is: one that was asleep for long may have lost to another what it took. */
  readonly owner: string
  /** Whether another living process carries it out. */
  isTaken(uploadRequestId: string): boolean
  /** Says that this process is still at what it took; a claim that is not renewed for half a minute is over. */
  renew(): void
  release(uploadRequestId: string): void
  /** Gives up whatever this process took. */
  releaseAll(): void
}

/** The table that claims stand in. */
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
  readonly seen: number
}

/** A claim that was not renewed for so many milliseconds belongs to a process that is gone. */
const life = 30_000

export function openClaims(db: Database): Claims {
  const owner = randomUUID()
  const host = hostname()
  /** What this process is at: the same file may stand twice in one batch. */
  const mine = new Set<string>()
  const holderOf = (uploadRequestId: string) =>
    db.get<Claim>('SELECT owner, host, pid, seen FROM claims WHERE uploadRequestId = ?', uploadRequestId)
  const isTaken = (uploadRequestId: string): boolean => {
    const held = holderOf(uploadRequestId)
    if (held === undefined || held.owner === owner || Date.now() - held.seen >= life) return false
    // Only this machine's processes can be looked for; a container may share the journal and not the processes.
    return held.host !== host || isAlive(held.pid)
  }
  return {
    owner,
    isTaken,
    take: uploadRequestId =>
      db.write(() => {
        if (mine.has(uploadRequestId) || isTaken(uploadRequestId)) return false
        db.run(
          'INSERT OR REPLACE INTO claims (uploadRequestId, owner, host, pid, seen) VALUES (?, ?, ?, ?, ?)',
          ...[uploadRequestId, owner, host, process.pid, Date.now()],
        )
        mine.add(uploadRequestId)
        return true
      }),
    renew: () => void db.run('UPDATE claims SET seen = ? WHERE owner = ?', Date.now(), owner),
    release(uploadRequestId) {
      mine.delete(uploadRequestId)
      db.run('DELETE FROM claims WHERE uploadRequestId = ? AND owner = ?', uploadRequestId, owner)
    },
    releaseAll: () => void db.run('DELETE FROM claims WHERE owner = ?', owner),
  }
}
