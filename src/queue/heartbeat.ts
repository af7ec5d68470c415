import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client } from 'pg'
import { exitCodes, Failure } from '../system/errors.ts'
import type { Clock } from '../system/world.ts'
import type { Postgres } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'
import { freeClaims } from './shared-journal.ts'

/** The first half of the advisory locks of workers; the second half is the worker's number. */
const lockClass = 1_886_745_186

/** How often a worker looks whether others have ended, in milliseconds. */
const lookedEvery = 1000

/** After the server has started, workers have so many seconds to connect again before their steps are given to others. */
const graceAfterStart = 10

/** This worker among the others. */
export interface Heartbeat {
  /** Its id, under which it locks jobs and claims uploads. */
  readonly id: string
  /** Aborted when others have taken this worker for dead, so that its steps are theirs. */
  readonly lost: AbortSignal
  leave(): Promise<void>
}

/**
 * Registers this process as a worker. Its connection holds an advisory lock, which PostgreSQL frees when the process or its
 * machine is gone. Whoever gets the lock of another worker frees the steps that it was carrying out.
 */
export async function joinWorkers(
  postgres: Postgres,
  {
    concurrency,
    clock,
    onFreed,
  }: { concurrency: number; clock: Clock; onFreed: (host: string, steps: number) => void },
): Promise<Heartbeat> {
  const id = randomUUID()
  const [row] = await postgres.query<{ number: number }>(
    `SELECT nextval('pubctl.worker_numbers')::integer AS number`,
  )
  const number = (row as { number: number }).number
  const lost = new AbortController()
  const stop = new AbortController()
  let connection: Client | undefined

  /** Waits for whoever is looking whether this worker is gone. */
  const lock = async () => {
    await postgres.connect(async client => {
      client.once('end', () => {
        if (connection === client) connection = undefined
      })
      await client.query('SELECT pg_advisory_lock($1, $2)', [lockClass, number])
      connection = client
    })
  }
  const isKnown = async () =>
    (await postgres.query('SELECT id FROM pubctl.workers WHERE id = $1', [id])).length > 0

  await lock()
  await postgres.query(
    `INSERT INTO pubctl.workers (id, number, host, pid, concurrency) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [id, number, hostname(), process.pid, concurrency],
  )

  const watching = (async () => {
    while (!stop.signal.aborted) {
      try {
        if (connection === undefined) {
          await lock()
          if (!(await isKnown())) return lost.abort(takenForDead())
        }
        for (const { host, steps } of await freeDead(postgres, number)) onFreed(host, steps)
      } catch {
        // The database is away. Whoever uses it for a step waits for it, or says so.
      }
      await clock.sleep(lookedEvery, stop.signal).catch(() => undefined)
    }
  })()

  return {
    id,
    lost: lost.signal,
    async leave() {
      stop.abort()
      await watching
      await freeWorker(postgres, id)
      await connection?.end()
    },
  }
}

const takenForDead = () =>
  new Failure('the connection to the database was away for so long that others have taken over', {
    code: 'upload_taken',
    exitCode: exitCodes.refused,
  })

/** Frees the steps of every worker whose lock can be had. */
async function freeDead(postgres: Postgres, own: number): Promise<{ host: string; steps: number }[]> {
  const others = await postgres.query<{ id: string; number: number; host: string }>(
    `SELECT id, number, host FROM pubctl.workers
     WHERE number <> $1 AND pg_postmaster_start_time() < now() - $2 * interval '1 second'
       AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())
         AND classid = $3 AND objid = number AND granted)`,
    [own, graceAfterStart, lockClass],
  )
  const freed: { host: string; steps: number }[] = []
  for (const { id, number, host } of others) {
    const steps = await postgres.transaction(async query => {
      const [lock] = await query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1, $2) AS got', [
        lockClass,
        number,
      ])
      return lock?.got ? await freeWorker({ query }, id) : undefined
    })
    if (steps !== undefined) freed.push({ host, steps })
  }
  return freed
}

/** Gives the jobs of a worker and its claims in the journal to others. Returns how many jobs there were. */
async function freeWorker({ query }: Pick<Postgres, 'query'>, id: string): Promise<number> {
  await query('DELETE FROM pubctl.workers WHERE id = $1', [id])
  await freeClaims(query, id)
  const locked = await query<{ id: number; key: string | null }>(
    `SELECT id, key FROM ${jobsSchema}.jobs WHERE locked_by = $1`,
    [id],
  )
  await query(`SELECT ${jobsSchema}.force_unlock_workers(ARRAY[$1])`, [id])
  // What had been given another job before its own was removed.
  const replaced = locked.filter(({ key }) => key === null).map(job => job.id)
  await query(`SELECT count(*) FROM ${jobsSchema}.complete_jobs($1)`, [replaced])
  return locked.length - replaced.length
}
