import type { Query } from './postgres/postgres.ts'
import { rateLimit } from './rate.ts'
import { jobsSchema } from './schema.ts'

/** A step that could not be carried out. */
interface FailedStep {
  readonly id: string
  readonly key: string | null
  readonly file: string | null
  /** `failed` until somebody asks for another try, or `retrying` at `nextTryAtIso`. */
  readonly state: 'failed' | 'retrying'
  readonly outcome: string
  readonly code: string
  readonly why: string
  readonly hint: string | null
  readonly tries: number
  readonly nextTryAtIso: string | null
}

/** What there is in a queue. */
export interface QueueStatus {
  readonly steps: number
  readonly waiting: number
  /** Those that workers have taken. */
  readonly underWay: number
  /** Those that failed for a reason that may pass, and are tried again by themselves. */
  readonly retrying: number
  readonly failed: number
  readonly uploaded: number
  readonly updated: number
  readonly skipped: number
  /** Steps a second that ended in the last minute. */
  readonly perSecond: number
  readonly secondsLeft: number | null
  /** The limit for all workers together. */
  readonly limitPerSecond: number | null
  readonly workers: readonly {
    readonly host: string
    readonly pid: number
    readonly concurrency: number
    readonly startedAtIso: string
  }[]
  readonly plans: readonly {
    readonly planId: string
    readonly baseUrl: string
    readonly scopeId: string | null
    readonly root: string | null
    readonly loadedAtIso: string
  }[]
  /** The first of them. */
  readonly failures: readonly FailedStep[]
}

/** Whether something is still going to happen by itself. */
export const isOpen = ({ waiting, underWay, retrying }: QueueStatus): boolean =>
  waiting + underWay + retrying > 0

/** What there is in the queue now, with at most `most` of the steps that failed. */
export async function queueStatus(query: Query, most: number): Promise<QueueStatus> {
  const states = await query<{ state: string; outcome: string | null; count: number }>(
    'SELECT state, outcome, count(*) AS count FROM pubctl.steps GROUP BY state, outcome',
  )
  const total = (isMeant: (row: (typeof states)[number]) => boolean) =>
    states.filter(isMeant).reduce((sum, { count }) => sum + count, 0)
  const done = (outcome: string) => total(row => row.state === 'done' && row.outcome === outcome)
  const [now] = await query<{ underWay: number; retrying: number; perSecond: number }>(
    `SELECT
       (SELECT count(*) FROM ${jobsSchema}.jobs WHERE locked_at IS NOT NULL) AS "underWay",
       (SELECT count(*) FROM pubctl.steps WHERE "errorCode" IS NOT NULL AND state = 'waiting') AS retrying,
       (SELECT coalesce(count(*) / greatest(1, extract(epoch FROM now() - min("endedAt"))), 0)
        FROM pubctl.steps WHERE "endedAt" > now() - interval '1 minute')::double precision AS "perSecond"`,
  )
  const { underWay, retrying, perSecond } = now as NonNullable<typeof now>
  const open = total(({ state }) => state === 'waiting')
  const waiting = Math.max(0, open - underWay - retrying)
  return {
    steps: total(() => true),
    ...{ waiting, underWay: Math.min(underWay, open), retrying },
    failed: total(({ state }) => state === 'failed'),
    ...{ uploaded: done('uploaded'), updated: done('updated'), skipped: done('skipped') },
    perSecond: Math.round(perSecond * 100) / 100,
    secondsLeft: perSecond > 0 && open > 0 ? Math.round(open / perSecond) : null,
    limitPerSecond: await rateLimit(query),
    workers: await query(
      `SELECT host, pid, concurrency, ${iso('"startedAt"')} AS "startedAtIso" FROM pubctl.workers ORDER BY number`,
    ),
    plans: await query(
      `SELECT "planId", "baseUrl", "scopeId", root, ${iso('"loadedAt"')} AS "loadedAtIso" FROM pubctl.plans
       ORDER BY "loadedAt"`,
    ),
    failures: await failedSteps(query, most),
  }
}

const failedSteps = async (query: Query, most: number): Promise<FailedStep[]> =>
  await query<FailedStep & Record<string, unknown>>(
    `SELECT steps.id, steps.key, file, CASE WHEN state = 'waiting' THEN 'retrying' ELSE 'failed' END AS state, outcome,
       "errorCode" AS code, "errorMessage" AS why, "errorHint" AS hint, tries,
       CASE WHEN state = 'waiting' THEN ${iso('jobs.run_at')} END AS "nextTryAtIso"
     FROM pubctl.steps LEFT JOIN ${jobsSchema}.jobs ON jobs.key = steps.id::text
     WHERE "errorCode" IS NOT NULL AND state <> 'done' ORDER BY "planId", steps.id LIMIT $1`,
    [most],
  )

const iso = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
