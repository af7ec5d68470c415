import { counted, later, listOf, orNone, type Statement } from './statement.ts'
import type { Row, View } from './tables.ts'

const [second, hour] = [1000, 60 * 60 * 1000]

/** The table of the library's jobs, by their ids. */
const jobs = 'jobs'

const jobsOf = (view: View, isMeant: (job: Row) => boolean): Row[] => view.all(jobs).filter(isMeant)

const timeOf = (value: unknown): number => (value as Date).getTime()

/** Changes a job, as the library's generated column has it. */
const change = (view: View, job: Row, changes: Row): Row => {
  const changed: Row = { ...job, ...changes }
  const row: Row = {
    ...changed,
    is_available:
      changed['locked_at'] === null && Number(changed['attempts']) < Number(changed['max_attempts']),
  }
  view.put(jobs, row['id'], row)
  return row
}

const free = { locked_at: null, locked_by: null }

function taskId(view: View, identifier: unknown): number {
  const known = view.get('tasks', identifier)
  const id = view.next('tasks')
  if (known) return known['id'] as number
  view.put('tasks', identifier, { id, identifier })
  return id
}

const identifierOf = (view: View, id: unknown): unknown =>
  view.all('tasks').find(task => task['id'] === id)?.['identifier']

/** As the library's function of that name does it, for one step. */
function addJob(view: View, task_id: number, step: unknown, after: number): Row {
  const { now } = view
  const [known] = jobsOf(view, ({ key }) => key === step)
  // PostgreSQL takes a number before it finds that there is a row.
  const id = view.next('jobs')
  const ofStep = { payload: { step }, run_at: later(now, after * second), max_attempts: 1000, priority: 0 }
  if (known && known['is_available'] === true) {
    return change(view, known, {
      ...{ ...ofStep, task_id, revision: Number(known['revision']) + 1, attempts: 0, last_error: null },
      updated_at: now,
    })
  }
  // One that is carried out at the moment is followed by another.
  if (known) change(view, known, { key: null, attempts: known['max_attempts'], updated_at: now })
  return change(
    view,
    {
      ...{ id, job_queue_id: null, task_id, key: step, revision: 0, flags: null },
      ...{ attempts: 0, last_error: null, created_at: now, updated_at: now },
    },
    { ...ofStep, ...free },
  )
}

function fail(view: View, job: Row, message: unknown): Row {
  const from = Math.max(timeOf(view.now), timeOf(job['run_at']))
  const after = Math.exp(Math.min(Number(job['attempts']), 10)) * second
  return change(view, job, { last_error: message, run_at: new Date(from + after), ...free })
}

interface FailedJob {
  readonly jobId: unknown
  readonly message: unknown
}

/** The statements of graphile-worker, and those of pubctl about its jobs. */
export const jobStatements: readonly Statement[] = [
  {
    name: 'look at the version of the jobs',
    begins: `select current_setting('server_version_num') as server_version_num, (select id from`,
    answer: () => [{ server_version_num: '170000', id: 19, biggest_breaking_id: 19 }],
  },
  {
    name: 'name tasks',
    begins: 'insert into "pubctl_jobs"._private_tasks as tasks (identifier)',
    answer: (view, [names]) => {
      for (const name of listOf(names)) taskId(view, name)
      return []
    },
  },
  {
    name: 'find tasks',
    begins: 'select id, identifier from "pubctl_jobs"._private_tasks',
    answer: (view, [names]) => listOf(names).flatMap(name => orNone(view.get('tasks', name))),
  },
  {
    name: 'take jobs',
    begins: 'with j as ( select jobs.job_queue_id, jobs.priority, jobs.run_at, jobs.id from',
    answer(view, [worker, tasks], sql) {
      const most = Number(/\blimit (\d+)/.exec(sql)?.[1])
      return jobsOf(
        view,
        job =>
          job['is_available'] === true &&
          timeOf(job['run_at']) <= timeOf(view.now) &&
          listOf(tasks).includes(job['task_id']) &&
          !view.isLocked(jobs, job['id']),
      )
        .sort((one, other) => timeOf(one['run_at']) - timeOf(other['run_at']))
        .slice(0, most)
        .map(job =>
          change(view, job, {
            ...{ attempts: Number(job['attempts']) + 1, locked_by: worker, locked_at: view.now },
          }),
        )
    },
  },
  {
    name: 'complete a job',
    begins: 'delete from "pubctl_jobs"._private_jobs as jobs where id = $1',
    answer(view, [id]) {
      if (view.get(jobs, id)) view.put(jobs, id, undefined)
      return []
    },
  },
  {
    name: 'complete jobs',
    begins: 'delete from "pubctl_jobs"._private_jobs as jobs using unnest($1::bigint[])',
    answer(view, [ids]) {
      for (const id of listOf(ids)) if (view.get(jobs, id)) view.put(jobs, id, undefined)
      return []
    },
  },
  {
    name: 'fail jobs',
    begins: `update "pubctl_jobs"._private_jobs as jobs set last_error = (el->>'message')`,
    answer(view, [worker, list]) {
      for (const { jobId, message } of JSON.parse(`${list}`) as FailedJob[]) {
        const job = view.get(jobs, jobId)
        if (job?.['locked_by'] === worker) fail(view, job as Row, message)
      }
      return []
    },
  },
  {
    name: 'fail what was taken',
    begins: 'with j as ( update "pubctl_jobs"._private_jobs as jobs set last_error = $2::text',
    answer: (view, [ids, message, worker]) =>
      jobsOf(view, ({ id, locked_by }) => listOf(ids).includes(id) && locked_by === worker).map(job =>
        fail(view, job, message),
      ),
  },
  {
    name: 'return jobs',
    begins: 'update "pubctl_jobs"._private_jobs as jobs set attempts = GREATEST(0, attempts - 1)',
    answer(view, [worker, ids]) {
      for (const job of jobsOf(view, ({ id, locked_by }) => listOf(ids).includes(id) && locked_by === worker))
        change(view, job, { attempts: Math.max(0, Number(job['attempts']) - 1), ...free })
      return []
    },
  },
  {
    name: 'free jobs taken long ago',
    begins: 'with j as ( update "pubctl_jobs"._private_jobs as jobs set locked_at = null',
    answer(view) {
      const { now } = view
      for (const job of jobsOf(
        view,
        ({ locked_at }) => locked_at !== null && timeOf(locked_at) < timeOf(now) - 4 * hour,
      ))
        change(view, job, {
          ...free,
          run_at: new Date(Math.max(timeOf(job['run_at']), timeOf(now))),
        })
      return []
    },
  },
  { name: 'listen', begins: 'LISTEN "jobs:insert"', answer: () => [] },
  { name: 'listen no more', begins: 'UNLISTEN "jobs:insert"', answer: () => [] },
  {
    name: 'add jobs',
    begins: 'SELECT count(*) FROM pubctl_jobs.add_jobs(',
    answer(view, [task, ids, after]) {
      view.notify('jobs:insert')
      const found = taskId(view, task)
      return counted(listOf(ids).map(id => addJob(view, found, id, Number(after))))
    },
  },
  {
    name: 'find the jobs of a worker',
    begins: 'SELECT id, key FROM pubctl_jobs.jobs WHERE locked_by = $1',
    answer: (view, [worker]) =>
      jobsOf(view, ({ locked_by }) => locked_by === worker).map(({ id, key }) => ({ id, key })),
  },
  {
    name: 'free the jobs of a worker',
    begins: 'SELECT pubctl_jobs.force_unlock_workers(ARRAY[$1])',
    answer(view, [worker]) {
      for (const job of jobsOf(view, ({ locked_by }) => locked_by === worker)) change(view, job, free)
      return [{ force_unlock_workers: null }]
    },
  },
  {
    name: 'complete replaced jobs',
    begins: 'SELECT count(*) FROM pubctl_jobs.complete_jobs($1)',
    answer(view, [ids]) {
      const isFree = ({ locked_at }: Row) =>
        locked_at === null || timeOf(locked_at) < timeOf(view.now) - 4 * hour
      const gone = jobsOf(view, job => listOf(ids).includes(job['id']) && isFree(job))
      for (const { id } of gone) view.put(jobs, id, undefined)
      return counted(gone)
    },
  },
  {
    name: 'count open jobs',
    begins: 'SELECT count(*) AS count FROM ( SELECT FROM pubctl_jobs.jobs',
    answer(view, [task, seconds]) {
      const end = timeOf(view.now) + Number(seconds) * second
      const found = jobsOf(
        view,
        job =>
          identifierOf(view, job['task_id']) === task &&
          Number(job['attempts']) < Number(job['max_attempts']) &&
          job['key'] !== null &&
          (job['locked_at'] !== null || timeOf(job['run_at']) < end),
      )
      return counted(found.slice(0, 1))
    },
  },
  {
    name: 'find lost jobs',
    begins: 'SELECT id::text AS id, key FROM pubctl_jobs.jobs WHERE locked_by = $1',
    answer(view, [worker, milliseconds]) {
      const before = timeOf(view.now) - Number(milliseconds)
      return jobsOf(
        view,
        job =>
          job['locked_by'] === worker &&
          job['key'] !== null &&
          job['locked_at'] !== null &&
          timeOf(job['locked_at']) < before,
      ).map(({ id, key }) => ({ id: `${id}`, key }))
    },
  },
]
