import { randomBytes } from 'node:crypto'
import type { Database } from '../../system/database.ts'
import { isAlive } from '../../system/is-alive.ts'
import type { SandboxState } from '../call.ts'

// A job stands for an edition whose file has arrived and whose state is not terminal yet. Its step is `received` while
// the edition still says upload_pending, and `uploaded` once the file may be examined, by the process that leases it.

/** A process that was killed is noticed at once; this is for one that hangs, or lives on another machine. */
export const leaseMilliseconds = 60_000

/** More than all processes can have leased at a time. */
const claimWindow = 100

const own = `${process.pid} ${randomBytes(8).toString('hex')}`

/** Starts the processing of an edition whose file has arrived; an existing job continues. */
export function enqueue({ db, clock, processingDelay, wake }: SandboxState, editionId: string): void {
  db.run(
    `INSERT INTO jobs (edition_id, step, due_at) VALUES (?, 'received', ?) ON CONFLICT DO NOTHING`,
    editionId,
    clock.now() + processingDelay,
  )
  wake()
}

/** Editions whose file was received long enough ago to be called uploaded. */
export const dueToBeUploaded = (db: Database, now: number): string[] =>
  db
    .all<{ edition_id: string }>(`SELECT edition_id FROM jobs WHERE step = 'received' AND due_at <= ?`, now)
    .map(({ edition_id }) => edition_id)

/** Moves a job to its second step; false when another process has. */
export const markUploaded = (db: Database, editionId: string, dueAt: number): boolean =>
  db.run(
    `UPDATE jobs SET step = 'uploaded', due_at = ? WHERE edition_id = ? AND step = 'received'`,
    dueAt,
    editionId,
  ) === 1

/** Leases an edition that is due to be examined; undefined when there is none. */
export function claim(db: Database, now: number): string | undefined {
  if (claimable(db, now).length === 0) return undefined
  return db.write(() => {
    const [id] = claimable(db, now)
    if (id !== undefined) {
      db.run(
        'UPDATE jobs SET leased_by = ?, leased_until = ? WHERE edition_id = ?',
        own,
        now + leaseMilliseconds,
        id,
      )
    }
    return id
  })
}

/** Prolongs a lease of this process. */
export const renew = (db: Database, editionId: string, now: number): void =>
  void db.run(
    'UPDATE jobs SET leased_until = ? WHERE edition_id = ? AND leased_by = ?',
    now + leaseMilliseconds,
    editionId,
    own,
  )

/** Lets another process, or this one, lease the edition again. */
export const release = (db: Database, editionId: string): void =>
  void db.run(
    'UPDATE jobs SET leased_by = NULL, leased_until = 0 WHERE edition_id = ? AND leased_by = ?',
    editionId,
    own,
  )

/** Ends a job; false when this process no longer leases it. */
export const finish = (db: Database, editionId: string): boolean =>
  db.run('DELETE FROM jobs WHERE edition_id = ? AND leased_by = ?', editionId, own) === 1

/** When the next job without a lease is due. If no more files can be examined now, only jobs of the first step count. */
export function nextDue(db: Database, now: number, canExamine: boolean): number {
  const condition = canExamine ? 'leased_until <= ?' : `leased_until <= ? AND step = 'received'`
  return (
    db.get<{ due: number | null }>(`SELECT min(due_at) AS due FROM jobs WHERE ${condition}`, now)?.due ??
    Infinity
  )
}

interface Lease {
  edition_id: string
  leased_by: string | null
  leased_until: number
}

const claimable = (db: Database, now: number): string[] =>
  db
    .all<Lease>(
      `SELECT edition_id, leased_by, leased_until FROM jobs
       WHERE step = 'uploaded' AND due_at <= ? ORDER BY due_at LIMIT ${claimWindow}`,
      now,
    )
    .filter(
      ({ leased_by, leased_until }) => leased_by === null || leased_until <= now || !isRunning(leased_by),
    )
    .map(({ edition_id }) => edition_id)

function isRunning(lessee: string): boolean {
  const pid = Number(lessee.split(' ')[0])
  // In a container, an earlier process may have had the number of this one.
  return pid === process.pid ? lessee === own : isAlive(pid)
}
