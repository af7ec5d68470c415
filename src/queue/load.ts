import { type Counts, type PlanAction, undecidedActions } from '../plan/actions.ts'
import type { PlanHeader, PlanStep } from '../plan/plan-step.ts'
import { uuid5 } from '../plan/uuid5.ts'
import { serialise } from '../system/exact-json.ts'
import { sha256 } from '../system/sha256.ts'
import { folderOfPlan } from './local-path.ts'
import type { Postgres } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

/** What became of a plan. */
export interface Loaded {
  readonly planId: string
  /** The deepest folder that contains all its files; null if it has none. */
  readonly root: string | null
  /** The steps that were added, and those that were in the queue or carried out before. */
  readonly added: number
  readonly known: number
  /** How many steps are left to people, by their actions. */
  readonly left: Counts
}

interface LoadOptions {
  readonly header: PlanHeader
  readonly steps: readonly (Pick<PlanStep, 'action' | 'file' | 'cover'> & { read(): Promise<PlanStep> })[]
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

/** How many steps are stored with one statement. */
const batchSize = 500

/** The name by which workers find the jobs of the service and the organisation that they work for. */
export const taskOf = ({ baseUrl, scopeId }: Pick<PlanHeader, 'baseUrl' | 'scopeId'>): string =>
  `step:${sha256(JSON.stringify([baseUrl, scopeId])).slice(0, 16)}`

/**
 * Puts the steps of a plan into the queue, each once: loading the same plan again adds what is missing. A step and its job
 * are stored in one transaction.
 */
export async function loadPlan(postgres: Postgres, options: LoadOptions): Promise<Loaded> {
  const { header, steps, signal, onProgress } = options
  const { planId, baseUrl, scopeId, match, made } = header
  const [before] = await postgres.query<{ root: string | null }>(
    'SELECT root FROM pubctl.plans WHERE "planId" = $1',
    [planId],
  )
  // Known before its steps, because workers carry out none with a file elsewhere.
  const root = folderOfPlan(
    steps.filter(({ action }) => !undecidedActions.includes(action)),
    before?.root ?? null,
  )
  await postgres.query(
    `INSERT INTO pubctl.plans ("planId", "baseUrl", "scopeId", match, made, root) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ("planId") DO UPDATE SET root = excluded.root`,
    [planId, baseUrl, scopeId, match, made, root],
  )
  const left: { [action in PlanAction]?: number } = {}
  let [added, known] = [0, 0]
  let batch: PlanStep[] = []
  const store = async () => {
    signal.throwIfAborted()
    const count = await addSteps(postgres, header, batch)
    added += count
    known += batch.length - count
    batch = []
    onProgress(added + known)
  }
  for (const place of steps) {
    if (undecidedActions.includes(place.action)) {
      left[place.action] = (left[place.action] ?? 0) + 1
      continue
    }
    const step = await place.read()
    batch.push(step)
    if (batch.length === batchSize) await store()
  }
  if (batch.length > 0) await store()
  return { planId, root, added, known, left }
}

/** The id of a step: that of its upload, or one that follows from the plan for a step without an upload. */
const idOf = ({ planId }: PlanHeader, { uploadRequestId, action, publicationId, key }: PlanStep): string =>
  uploadRequestId ?? uuid5(planId, JSON.stringify([action, publicationId, key]))

async function addSteps(postgres: Postgres, header: PlanHeader, steps: readonly PlanStep[]): Promise<number> {
  const rows = steps.map(step => ({ ...step, id: idOf(header, step) }))
  const task = taskOf(header)
  return await postgres.transaction(async query => {
    const added = await query<{ id: string }>(
      `INSERT INTO pubctl.steps (id, "planId", key, file, step)
       SELECT id, $1, key, file, step FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS row (id, key, file, step)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [
        header.planId,
        rows.map(({ id }) => id),
        rows.map(({ key }) => key),
        rows.map(({ file }) => file),
        steps.map(step => serialise(step)),
      ],
    )
    await addJobs(
      query,
      task,
      added.map(({ id }) => id),
    )
    return added.length
  })
}

/**
 * Adds a job for each step. Its key is the id of the step, so that there is one job for a step; one that is carried out at
 * the moment is followed by another. `after` is in seconds.
 */
export async function addJobs(
  query: Postgres['query'],
  task: string,
  ids: readonly string[],
  after = 0,
): Promise<void> {
  if (ids.length === 0) return
  await query(
    `SELECT count(*) FROM ${jobsSchema}.add_jobs(ARRAY(
       SELECT ROW($1, json_build_object('step', id), NULL, now() + $3 * interval '1 second', ${mostKills}, id, 0, NULL)
         ::${jobsSchema}.job_spec
       FROM unnest($2::text[]) AS id))`,
    [task, ids, after],
  )
}

/** How often the process may end that carries a step out. Failures of the step are counted in its row. */
const mostKills = 1000
