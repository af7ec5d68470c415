import type { WorkerEvents } from 'graphile-worker'
import type { Clock } from '../system/world.ts'
import type { Heartbeat } from './heartbeat.ts'
import { addJobs } from './load.ts'
import type { Postgres } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

interface LostOptions {
  readonly postgres: Postgres
  readonly heartbeat: Heartbeat
  /** The name of the jobs of this service and organisation. */
  readonly task: string
  readonly clock: Clock
}

/** How long after a connection broke a worker looks for jobs that it was given and does not know of, in milliseconds. */
const lookedAfter = 3000

/**
 * Finds jobs that the database has given to this worker in an answer that was lost with its connection, and puts their steps
 * back into the queue.
 */
export function findLost(
  events: WorkerEvents,
  { postgres, heartbeat, task, clock }: LostOptions,
): { look(): void; end(): void } {
  const held = new Set<string>()
  const stop = new AbortController()
  let isLooking = false
  const putBack = async () => {
    // What is on its way to this worker arrives first.
    await clock.sleep(lookedAfter, stop.signal)
    const locked = await postgres.query<{ id: string; key: string }>(
      `SELECT id::text AS id, key FROM ${jobsSchema}.jobs
       WHERE locked_by = $1 AND key IS NOT NULL AND locked_at < now() - $2 * interval '1 millisecond'`,
      [heartbeat.id, lookedAfter / 2],
    )
    const keys = locked.filter(({ id }) => !held.has(id)).map(({ key }) => key)
    await addJobs(postgres.query, task, keys)
  }
  const look = () => {
    if (isLooking) return
    isLooking = true
    putBack()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) held.add(id)
  })
  events.on('job:complete', ({ job }) => void held.delete(job.id))
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) held.delete(id)
  })
  events.on('pool:listen:error', look)
  return { look, end: () => stop.abort() }
}
