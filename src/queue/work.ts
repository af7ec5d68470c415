import { EventEmitter } from 'node:events'
import type { RunnerOptions, WorkerEvents } from 'graphile-worker'
import { type Failure, UsageFailure } from '../system/errors.ts'
import type { Clock } from '../system/world.ts'
import { graphileOptions, loadGraphile } from './graphile.ts'
import type { Heartbeat } from './heartbeat.ts'
import { findLost } from './lost-jobs.ts'
import { isOfDatabase } from './postgres/errors.ts'
import type { Postgres } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

interface WorkOptions {
  readonly postgres: Postgres
  readonly heartbeat: Heartbeat
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  /** How many steps are in progress at a time, those included whose books are being processed. */
  readonly steps: number
  /** Ends when there is nothing left to do. */
  readonly once: boolean
  readonly carryOut: (id: string) => Promise<void>
  /** Called for a job that names no step, which pubctl does not make. Nothing is done about it. */
  readonly onForeignJob: () => void
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
  const ended = AbortSignal.any([options.signal, options.heartbeat.lost])
  const stopIgnoring = ignoreLostReturns()
  try {
    await workUntil(ended, options)
  } finally {
    stopIgnoring()
  }
}

async function workUntil(ended: AbortSignal, options: WorkOptions): Promise<void> {
  const { postgres, heartbeat, once, clock } = options
  const done = new AbortController()
  const over = AbortSignal.any([ended, done.signal])
  if (once) void watchForEnd(options, over).then(() => done.abort())
  try {
    while (!over.aborted) {
      await runOnce(over, options).catch(async error => {
        // The database was away for longer than the library waits for it. Anything else would go on for ever.
        if (!isOfDatabase(error)) throw unfit(error)
      })
      await clock.sleep(1000, over).catch(() => undefined)
      // What the library had fetched and could not return while the database was away is nobody's otherwise.
      if (!over.aborted)
        await postgres
          .query(`SELECT ${jobsSchema}.force_unlock_workers(ARRAY[$1])`, [heartbeat.id])
          .catch(() => undefined)
    }
  } finally {
    done.abort()
  }
}

async function runOnce(over: AbortSignal, options: WorkOptions): Promise<void> {
  const { stop, stopped } = await startRunner(options)
  over.addEventListener('abort', stop, { once: true })
  if (over.aborted) stop()
  await stopped
  over.removeEventListener('abort', stop)
}

const unfit = (error: unknown): Failure =>
  new UsageFailure(
    `the library of the queue cannot go on: ${error instanceof Error ? error.message : error}`,
    {
      code: 'database_unusable',
      hint: 'All machines need the same versions of pubctl and graphile-worker.',
      cause: error,
    },
  )

/**
 * Where the database goes away while the library stops, it throws where nobody can catch it, which would end the process: the
 * jobs it could not return, which are freed by what comes after, and that it has released one connection twice. Returns what
 * undoes this.
 */
function ignoreLostReturns(): () => void {
  const harmless = /returning jobs from local queue|^Release called on client which has already been released/
  const ignore = (error: unknown) => {
    if (!(error instanceof Error) || !harmless.test(error.message)) throw error
  }
  process.on('unhandledRejection', ignore)
  return () => void process.off('unhandledRejection', ignore)
}

interface Running {
  readonly stop: () => void
  /** Resolves once no step is carried out any more, whatever ended that. */
  readonly stopped: Promise<unknown>
}

async function startRunner({
  postgres,
  heartbeat,
  task,
  steps,
  carryOut,
  onForeignJob,
  clock,
}: WorkOptions): Promise<Running> {
  const graphile = loadGraphile()
  const events: WorkerEvents = new EventEmitter()
  // The jobs are locked under the id of this worker, which the others know.
  events.on('pool:create', ({ workerPool }) => {
    workerPool.id = heartbeat.id
  })
  const lost = findLost(events, { postgres, heartbeat, task, clock })
  let hasLooked = false
  events.on('localQueue:getJobs:complete', () => {
    hasLooked = true
  })
  let isUseless = () => {}
  let wasCutOff = false
  events.on('pool:listen:error', () => {
    wasCutOff = true
  })
  const options: RunnerOptions = {
    ...graphileOptions(graphile, postgres.pool),
    logger: new graphile.Logger(() => (_, message) => {
      if (!message.startsWith('Error occurred fetching jobs')) return
      lost.look()
      // What fails of the first time, the library remembers for ever, and carries nothing out.
      if (!hasLooked) isUseless()
    }),
    ...{ events, concurrency: steps, pollInterval },
    // Or it reads a file of the name "crontab" in the current folder.
    parsedCronItems: [],
    taskList: {
      [task]: async payload => {
        const id = stepIn(payload)
        if (id === undefined) onForeignJob()
        else await carryOut(id)
      },
    },
    preset: {
      worker: {
        // One question for jobs instead of one for each step that may be in progress.
        localQueue: { size: steps + 1 },
        // In batches, which cost the database less. One that fails stops the library.
        completeJobBatchDelay: 250,
        failJobBatchDelay: 50,
      },
    },
  }
  // Once a batch has failed, the library waits for ever for the end of others that there are not.
  const isQuiet = new Promise<void>(resolve => {
    const giveUp = () => void clock.after(2000, resolve)
    events.on('pool:gracefulShutdown:complete', giveUp).on('pool:forcefulShutdown:complete', giveUp)
    events.on('pool:forcefulShutdown:error', giveUp)
  })
  const runner = await graphile.run(options)
  const ended = runner.promise.catch(error => {
    // What follows from a lost connection does not always say so.
    if (!wasCutOff) throw error
  })
  const stopped = Promise.race([ended, isQuiet]).finally(lost.end)
  ended.catch(() => undefined)
  const stop = () => void runner.stop().catch(() => undefined)
  isUseless = stop
  return { stop, stopped }
}

/** The id of the step that a job is for. */
function stepIn(payload: unknown): string | undefined {
  const { step } = (payload ?? {}) as { step?: unknown }
  return typeof step === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(step)
    ? step
    : undefined
}

/** Resolves once there is nothing left to do, or the signal is aborted. */
async function watchForEnd({ postgres, task, clock }: WorkOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(500, signal).catch(() => undefined)
    const left = await openJobs(postgres, task).catch(() => 1)
    if (left === 0) return
  }
}

/** How many jobs are carried out now, or will be soon. One without a key has been replaced by another. */
async function openJobs({ query }: Postgres, task: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT FROM ${jobsSchema}.jobs WHERE task_identifier = $1 AND attempts < max_attempts AND key IS NOT NULL
         AND (locked_at IS NOT NULL OR run_at < now() + $2 * interval '1 second') LIMIT 1
     ) AS open`,
    [task, waitedFor],
  )
  return row?.count ?? 0
}
