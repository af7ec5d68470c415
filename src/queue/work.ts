import { EventEmitter } from 'node:events'
import type { Runner, RunnerOptions, WorkerEvents } from 'graphile-worker'
import type { Postgres } from '../system/postgres/postgres.ts'
import type { Clock } from '../world.ts'
import { graphileOptions, loadGraphile } from './graphile.ts'
import type { Presence } from './presence.ts'
import { jobsSchema } from './schema.ts'

interface WorkOptions {
  readonly postgres: Postgres
  readonly presence: Presence
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  /** How many steps are in progress at a time, those included whose books are being processed. */
  readonly steps: number
  /** Ends when there is nothing left to do. */
  readonly once: boolean
  readonly carryOut: (id: string) => Promise<void>
  readonly clock: Clock
  /** Aborted when no further step is to be begun, with the reason. */
  readonly signal: AbortSignal
}

/** How often a worker looks for jobs of which it was not told, such as those of a worker that has ended, in milliseconds. */
const pollInterval = 1000

/** A step that is to be tried again within so many seconds is waited for before `once` ends. */
const waitedFor = 15

/** Carries out steps until the signal is aborted, others have taken this worker for dead, or nothing is left to do. */
export async function work(options: WorkOptions): Promise<void> {
  const ended = AbortSignal.any([options.signal, options.presence.lost])
  const stopIgnoring = ignoreLostReturns()
  try {
    await workUntil(ended, options)
  } finally {
    stopIgnoring()
  }
}

async function workUntil(ended: AbortSignal, options: WorkOptions): Promise<void> {
  const { postgres, presence, once, clock } = options
  while (!ended.aborted) {
    try {
      const runner = await startRunner(options)
      const stop = () => void runner.stop().catch(() => undefined)
      ended.addEventListener('abort', stop, { once: true })
      if (ended.aborted) stop()
      if (once) void stopWhenDone(options, ended, stop)
      await runner.promise
      if (once) return
    } catch {
      // The database was away for longer than the library waits for it.
      await clock.sleep(1000, ended).catch(() => undefined)
    }
    // What the library had fetched and could not return while the database was away is nobody's otherwise.
    if (!ended.aborted)
      await postgres
        .query(`SELECT ${jobsSchema}.force_unlock_workers(ARRAY[$1])`, [presence.id])
        .catch(() => undefined)
  }
}

/**
 * Where the database goes away while the library stops, it throws what it could not return where nobody can catch it, which
 * would end the process. Those jobs are freed by what comes after. Returns what undoes this.
 */
function ignoreLostReturns(): () => void {
  const ignore = (error: unknown) => {
    if (!(error instanceof Error) || !/returning jobs from local queue/.test(error.message)) throw error
  }
  process.on('unhandledRejection', ignore)
  return () => void process.off('unhandledRejection', ignore)
}

async function startRunner({ postgres, presence, task, steps, carryOut }: WorkOptions): Promise<Runner> {
  const graphile = await loadGraphile()
  const events: WorkerEvents = new EventEmitter()
  // The jobs are locked under the id of this worker, which the others know.
  events.on('pool:create', ({ workerPool }) => {
    workerPool.id = presence.id
  })
  const options: RunnerOptions = {
    ...graphileOptions(graphile, postgres.pool),
    ...{ events, concurrency: steps, pollInterval },
    taskList: { [task]: payload => carryOut((payload as { step: string }).step) },
    preset: {
      worker: {
        // One question for jobs instead of one for each step that may be in progress.
        localQueue: { size: steps + 1 },
        // Not 0 at a time but in batches: only then does the library repeat it while the database is away.
        completeJobBatchDelay: 50,
        failJobBatchDelay: 50,
      },
    },
  }
  return await graphile.run(options)
}

async function stopWhenDone(
  { postgres, task, clock }: WorkOptions,
  signal: AbortSignal,
  stop: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(500, signal).catch(() => undefined)
    const left = await openJobs(postgres, task).catch(() => 1)
    if (left === 0) return stop()
  }
}

/** How many jobs are carried out now, or will be soon. */
async function openJobs({ query }: Postgres, task: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT FROM ${jobsSchema}.jobs WHERE task_identifier = $1 AND attempts < max_attempts
         AND (locked_at IS NOT NULL OR run_at < now() + $2 * interval '1 second') LIMIT 1
     ) AS open`,
    [task, waitedFor],
  )
  return row?.count ?? 0
}
