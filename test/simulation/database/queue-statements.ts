import { queueTables } from '../../../src/queue/schema.ts'
import { counted, listOf, only, orNone, type Statement } from './statement.ts'
import type { Row, View } from './tables.ts'

/** The first half of the advisory locks of workers. */
const isOfLock =
  (number: unknown) =>
  ({ id }: Row): boolean =>
    `${id}`.endsWith(` ${number}`)

const planOf = (view: View, { planId }: Row): Row => view.get('plans', planId) as Row

/** The statements on plans, steps and workers. */
export const queueStatements: readonly Statement[] = [
  { name: 'settings', begins: 'SET tcp_keepalives_idle', answer: () => [] },
  { name: 'look who owns the tables', begins: 'WITH RECURSIVE own AS', answer: () => [] },
  {
    name: 'look for the tables',
    begins: `SELECT to_regclass('pubctl.version') IS NOT NULL AS there`,
    answer: () => [{ there: true }],
  },
  {
    name: 'look at the version of the tables',
    begins: 'SELECT * FROM pubctl.version',
    answer: () => [{ number: queueTables.length, isComplete: true }],
  },
  {
    name: 'find a plan',
    begins: 'SELECT root FROM pubctl.plans WHERE "planId" = $1',
    answer: (view, [planId]) => orNone(view.get('plans', planId)).map(row => only(row, 'root')),
  },
  {
    name: 'store a plan',
    begins: 'INSERT INTO pubctl.plans',
    answer(view, [planId, baseUrl, scopeId, match, made, root]) {
      const known = view.get('plans', planId)
      const added = { planId, baseUrl, scopeId, match, made, isCompared: false, loadedAt: view.now }
      view.put('plans', planId, { ...(known ?? added), root })
      return []
    },
  },
  {
    name: 'store steps',
    begins: 'INSERT INTO pubctl.steps',
    answer(view, [planId, ids, keys, files, steps]) {
      const [key, file, step] = [keys, files, steps].map(listOf) as [unknown[], unknown[], unknown[]]
      return listOf(ids).flatMap((id, index) => {
        if (view.get('steps', id)) return []
        view.put('steps', id, {
          ...{ id, planId, key: key[index], file: file[index], step: step[index], state: 'waiting' },
          ...{ outcome: null, tries: 0, publicationId: null, errorCode: null, errorMessage: null },
          ...{ errorHint: null, endedAt: null },
        })
        return [{ id }]
      })
    },
  },
  {
    name: 'find plans with something to do',
    begins: 'SELECT "planId", "baseUrl", "scopeId" FROM pubctl.plans WHERE EXISTS',
    answer: view =>
      view
        .all('plans')
        .filter(({ planId }) =>
          view.all('steps').some(step => step['planId'] === planId && step['state'] === 'waiting'),
        )
        .map(plan => only(plan, 'planId', 'baseUrl', 'scopeId')),
  },
  {
    name: 'number a worker',
    begins: `SELECT nextval('pubctl.worker_numbers')`,
    answer: view => [{ number: view.next('worker_numbers') }],
  },
  {
    name: 'store a worker',
    begins: 'INSERT INTO pubctl.workers',
    answer(view, [id, number, host, pid, concurrency]) {
      if (!view.get('workers', id))
        view.put('workers', id, { id, number, host, pid, concurrency, startedAt: view.now })
      return []
    },
  },
  {
    name: 'find a worker',
    begins: 'SELECT id FROM pubctl.workers WHERE id = $1',
    answer: (view, [id]) => (view.get('workers', id) ? [{ id }] : []),
  },
  {
    name: 'find dead workers',
    begins: 'SELECT id, number, host FROM pubctl.workers WHERE number <> $1',
    answer(view, [own, seconds]) {
      const startedAt = view.get('server', 'startedAt')?.['at'] as Date | undefined
      if (startedAt && view.now.getTime() - startedAt.getTime() <= Number(seconds) * 1000) return []
      return view
        .all('workers')
        .filter(({ number }) => number !== own && !view.all('advisory').some(isOfLock(number)))
        .map(worker => only(worker, 'id', 'number', 'host'))
    },
  },
  {
    name: 'remove a worker',
    begins: 'DELETE FROM pubctl.workers WHERE id = $1',
    answer(view, [id]) {
      if (view.get('workers', id)) view.put('workers', id, undefined)
      return []
    },
  },
  {
    name: 'look at the limit',
    begins: 'SELECT "perSecond" FROM pubctl.rate',
    answer: () => [{ perSecond: null }],
  },
  {
    name: 'read steps',
    begins:
      'SELECT id::text AS id, "planId", "baseUrl", "scopeId", root, match, made, key, state, tries, EXISTS',
    answer: (view, [ids]) =>
      listOf(ids).flatMap(id =>
        orNone(view.get('steps', id)).map(step => ({
          ...only(planOf(view, step), 'planId', 'baseUrl', 'scopeId', 'root', 'match', 'made'),
          ...only(step, 'id', 'key', 'state', 'tries', 'step'),
          isBegun: view.get('uploads', id) !== undefined,
        })),
      ),
  },
  {
    name: 'store how steps ended',
    begins: 'UPDATE pubctl.steps SET state = ended.state',
    answer(view, [ids, ...columns]) {
      const names = ['state', 'outcome', 'tries', 'publicationId', 'errorCode', 'errorMessage', 'errorHint']
      return listOf(ids).flatMap((id, index) => {
        const step = view.get('steps', id)
        if (!step) return []
        // Whoever waits for another transaction sees what that has made of it.
        view.lock('steps', id)
        if (step['state'] === 'done') return []
        const ended: Row = Object.fromEntries(names.map((name, at) => [name, listOf(columns[at])[index]]))
        view.put('steps', id, { ...step, ...ended, endedAt: ended['state'] === 'waiting' ? null : view.now })
        return [{ id }]
      })
    },
  },
  {
    name: 'count the steps to be tried again',
    begins: 'SELECT count(*) AS count FROM pubctl.steps JOIN pubctl.plans',
    answer(view, [baseUrl, scopeId]) {
      const isMeant = (step: Row) => {
        const plan = planOf(view, step)
        return plan['baseUrl'] === baseUrl && plan['scopeId'] === scopeId
      }
      return counted(
        view
          .all('steps')
          .filter(step => step['errorCode'] !== null && step['state'] === 'waiting' && isMeant(step)),
      )
    },
  },
  {
    name: 'find failed steps',
    begins: 'SELECT id, "baseUrl", "scopeId" FROM pubctl.steps JOIN pubctl.plans',
    answer: (view, [ids]) =>
      view
        .all('steps')
        .filter(
          ({ id, errorCode, state }) =>
            errorCode !== null && state !== 'done' && (ids === null || listOf(ids).includes(id)),
        )
        .map(step => ({ id: step['id'], ...only(planOf(view, step), 'baseUrl', 'scopeId') })),
  },
  {
    name: 'let failed steps wait again',
    begins: `UPDATE pubctl.steps SET state = 'waiting', tries = 0`,
    answer(view, [ids]) {
      for (const id of listOf(ids)) {
        const step = view.get('steps', id)
        if (step) view.put('steps', id, { ...step, state: 'waiting', tries: 0, endedAt: null })
      }
      return []
    },
  },
  {
    name: 'look whether a plan was compared',
    begins: 'SELECT "isCompared" FROM pubctl.plans WHERE "planId" = $1',
    answer: (view, [planId]) => orNone(view.get('plans', planId)).map(row => only(row, 'isCompared')),
  },
  {
    name: 'keep others from comparing a plan',
    begins: 'SELECT "planId" FROM pubctl.plans WHERE "planId" = $1 FOR UPDATE',
    answer(view, [planId]) {
      if (!view.get('plans', planId)) return []
      view.lock('plans', planId)
      return [{ planId }]
    },
  },
  {
    name: 'store what was created since',
    begins: 'INSERT INTO pubctl.created',
    answer(view, [planId, texts, ids]) {
      listOf(texts).forEach((value, index) => {
        view.put('created', view.next('created'), { planId, value, publicationId: listOf(ids)[index] })
      })
      return []
    },
  },
  {
    name: 'store that a plan was compared',
    begins: 'UPDATE pubctl.plans SET "isCompared" = true',
    answer(view, [planId]) {
      const plan = view.get('plans', planId)
      if (plan) view.put('plans', planId, { ...plan, isCompared: true })
      return []
    },
  },
  {
    name: 'read what was created since',
    begins: 'SELECT value, "publicationId" FROM pubctl.created WHERE',
    answer: (view, [planId, most]) =>
      view
        .all('created')
        .filter(row => row['planId'] === planId)
        .slice(0, Number(most))
        .map(row => only(row, 'value', 'publicationId')),
  },
  {
    name: 'find what was created since',
    begins: 'SELECT "publicationId" FROM pubctl.created WHERE',
    answer: (view, [planId, value]) =>
      view
        .all('created')
        .filter(row => row['planId'] === planId && row['value'] === value)
        .map(row => only(row, 'publicationId')),
  },
]
