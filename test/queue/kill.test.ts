import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { storedHashes } from '../support/books/book-folder.ts'
import { isFull } from '../support/machine/full.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const isRun = isSlow || isFull
const postgres = usePostgres(isRun)
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
/** `npm run check:slow -- --full` carries out two thousand steps; QUEUE_BOOKS says how many others. */
const count = Number(process.env['QUEUE_BOOKS'] ?? (isFull ? 2000 : 60))
const [workers, concurrency, most] = isFull ? [8, 4, Number.POSITIVE_INFINITY] : [3, 1, 3]
const timeout = isFull ? 1_800_000 : 120_000

/** With QUEUE_FIGURES, the figures of the runs are written to the file that it names. */
const figures: Record<string, object> = {}
afterAll(() => {
  const path = process.env['QUEUE_FIGURES']
  if (path !== undefined) writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`)
})

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** A queue of books for a service of its own, and what must be true in the end. */
async function scene() {
  const all = await queueScene(postgres, count, {
    processingDelayMs: isFull ? 20 : 500,
  })
  const { run, plan, status, publications, dataDir, hashes, titles } = all
  expect(await run(['queue', 'load', plan])).toMatchObject({ code: 0 })
  let told = performance.now()
  return {
    ...all,
    /** How far it is; a run that takes minutes says so now and then. */
    async progress() {
      const now = await status()
      if (performance.now() - told > 20_000) {
        told = performance.now()
        process.stderr.write(`${now.uploaded} of ${count} books, ${now.perSecond} a second\n`)
      }
      return { uploaded: now.uploaded as number, isDone: now.waiting + now.underWay + now.retrying === 0 }
    },
    async expectAll() {
      expect(await status()).toMatchObject({ uploaded: count, failed: 0, retrying: 0, skipped: 0 })
      const listed = await publications()
      expect(listed.map(({ title }) => title).sort()).toEqual(titles.sort())
      expect(new Set(listed.map(({ uploadStatus }) => uploadStatus))).toEqual(new Set(['available']))
      await expect.poll(() => storedHashes(dataDir)).toEqual(hashes)
    },
  }
}

describe.runIf(isRun)(
  `a queue of ${count} books, ${workers} workers that are killed, and a restart of PostgreSQL (seed ${seed})`,
  () => {
    it(
      'has each book at the service exactly once',
      async () => {
        const { run, worker, progress, expectAll, database, status } = await scene()
        // Few books would be uploaded before the first kill.
        if (!isFull) await run(['queue', 'limit', '12/s'])
        const start = () => worker('--concurrency', `${concurrency}`)
        const running = Array.from({ length: workers }, start)
        const again: Promise<number | undefined>[] = []
        const began = performance.now()
        let isRestarted = false
        for (;;) {
          await pause(isFull ? 1000 : 200)
          const { uploaded, isDone } = await progress()
          if (isDone) break
          const ended = running.find(({ child }) => child.exitCode !== null)
          if (ended) throw new Error(`a worker ended with ${ended.child.exitCode}: ${ended.texts.err}`)
          if (uploaded === 0) continue
          if (!isRestarted && uploaded >= count / 3 && (isFull || again.length === most)) {
            isRestarted = true
            // One that cannot reach the database as it starts says so and ends.
            const there = async () => (await status()).workers.map(({ pid }: { pid: number }) => pid)
            await expect.poll(there).toEqual(expect.arrayContaining(running.map(({ child }) => child.pid)))
            await postgres.stop()
            await pause(300)
            await postgres.start()
          }
          if (again.length === most) continue
          // One that has only just been started takes nothing with it.
          const taken = await stepsByWorker(database)
          const busy = running.filter(({ child }) => taken.has(child.pid as number))
          const victim = busy[Math.floor(random() * busy.length)]
          if (victim === undefined) continue
          victim.child.kill('SIGKILL')
          again.push(takenAgain(database, taken.get(victim.child.pid as number) ?? []))
          running[running.indexOf(victim)] = start()
        }
        const seconds = (performance.now() - began) / 1000
        for (const { child } of running) child.kill('SIGTERM')
        expect(await Promise.all(running.map(({ ended }) => ended))).toEqual(running.map(() => 143))
        expect({ isRestarted, isKilled: again.length > 0 }).toEqual({ isRestarted: true, isKilled: true })
        await expectAll()
        const times = (await Promise.all(again)).filter(each => each !== undefined).sort((a, b) => a - b)
        figures['workers that are killed'] = {
          ...{ workers, concurrency, kills: again.length },
          ...(await speedOf(database, seconds)),
          millisecondsToNextRun: { median: times[Math.floor(times.length / 2)], most: times.at(-1) },
        }
      },
      timeout,
    )
  },
)

/** The figures beside it, with nothing killed. */
describe.each(isFull ? ['beside it'] : [])(`%s, the same ${count} books`, () => {
  it.each([
    [`by ${workers} workers`, workers, concurrency],
    ['by one worker with --concurrency 32', 1, 32],
  ])(
    '%s',
    async (name, workers, concurrency) => {
      const { worker, progress, expectAll, database } = await scene()
      const began = performance.now()
      const running = Array.from({ length: workers }, () =>
        worker('--once', '--concurrency', `${concurrency}`),
      )
      const ended = Promise.all(running.map(each => each.ended))
      while (!(await progress()).isDone && running.every(({ child }) => child.exitCode === null))
        await pause(1000)
      expect(await ended).toEqual(running.map(() => 0))
      const seconds = (performance.now() - began) / 1000
      await expectAll()
      figures[name] = { workers, concurrency, ...(await speedOf(database, seconds)) }
    },
    timeout,
  )

  it(
    'by one catalogue apply with --concurrency 32, without a queue',
    async () => {
      const { run, plan, publications } = await queueScene(postgres, count)
      const began = performance.now()
      expect(await run(['catalogue', 'apply', plan, '--concurrency', '32', '--quiet'])).toMatchObject({
        code: 0,
      })
      const seconds = (performance.now() - began) / 1000
      expect(await publications()).toHaveLength(count)
      figures['by one catalogue apply with --concurrency 32'] = {
        ...{ concurrency: 32, steps: count, stepsPerSecond: Math.round((count / seconds) * 10) / 10 },
      }
    },
    timeout,
  )
})

/** The keys of the jobs that each worker has, by its process. */
async function stepsByWorker(database: string): Promise<Map<number, string[]>> {
  const rows = await postgres.query(
    database,
    `SELECT pid, array_agg(key) AS keys FROM pubctl_jobs.jobs JOIN pubctl.workers ON locked_by = workers.id::text
     WHERE key IS NOT NULL GROUP BY pid`,
  )
  return new Map(rows.map(({ pid, keys }) => [pid as number, keys as string[]]))
}

/**
 * The milliseconds from a kill until another worker has one of the steps of the killed one, or it is done; undefined if the
 * database was away meanwhile.
 */
async function takenAgain(database: string, keys: readonly string[]): Promise<number | undefined> {
  const killed = performance.now()
  const list = keys.map(key => `'${key}'`).join(', ')
  const sql = `SELECT EXISTS (SELECT FROM pubctl_jobs.jobs WHERE key IN (${list}) AND locked_at > '${new Date().toISOString()}')
     OR EXISTS (SELECT FROM pubctl.steps WHERE id::text IN (${list}) AND state = 'done') AS again`
  for (;;) {
    const rows = await postgres.query(database, sql).catch(() => undefined)
    if (rows === undefined) return undefined
    if (rows[0]?.['again']) return Math.round(performance.now() - killed)
    if (performance.now() - killed > 60_000) throw new Error('nobody has taken the steps of a killed worker')
    await pause(50)
  }
}

async function speedOf(database: string, seconds: number) {
  const [row] = await postgres.query(
    database,
    `SELECT xact_commit AS commits, pg_database_size(current_database()) AS bytes FROM pg_stat_database
     WHERE datname = current_database()`,
  )
  return {
    steps: count,
    stepsPerSecond: Math.round((count / seconds) * 10) / 10,
    commitsPerStep: Math.round((Number(row?.['commits']) / count) * 10) / 10,
    databaseMebibytes: Math.round(Number(row?.['bytes']) / 2 ** 20),
  }
}
