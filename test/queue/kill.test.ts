import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { storedHashes } from '../support/book-folder.ts'
import { isFull } from '../support/full.ts'
import { usePostgres } from '../support/postgres.ts'
import { queueScene } from '../support/queue-scene.ts'
import { randomFrom } from '../support/random.ts'

const postgres = usePostgres()
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
/** `npm run check:full` carries out two thousand steps; QUEUE_BOOKS says how many others. */
const count = Number(process.env['QUEUE_BOOKS'] ?? (isFull ? 2000 : 60))
const [workers, most] = isFull ? [8, Number.POSITIVE_INFINITY] : [3, 3]

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

describe(`a queue of ${count} books, ${workers} workers that are killed, and a restart of PostgreSQL (seed ${seed})`, () => {
  it(
    'has each book at the service exactly once',
    async () => {
      const { run, plan, worker, status, publications, dataDir, hashes, titles, database } = await queueScene(
        postgres,
        count,
        { sandbox: ['--processing-delay', isFull ? '20ms' : '500ms'] },
      )
      expect(await run(['queue', 'load', plan])).toMatchObject({ code: 0 })
      // Few books would be uploaded before the first kill.
      if (!isFull) await run(['queue', 'limit', '12/s'])
      const start = () => worker('--concurrency', isFull ? '4' : '1')
      const running = Array.from({ length: workers }, start)
      const again: number[] = []
      let kills = 0
      let isRestarted = false
      for (;;) {
        await pause(isFull ? 1000 : 400)
        const { waiting, underWay, retrying, uploaded } = await status()
        if (waiting + underWay + retrying === 0) break
        if (!isRestarted && uploaded >= count / 3) {
          isRestarted = true
          await postgres.stop()
          await pause(300)
          await postgres.start()
        }
        if (kills === most || uploaded === 0) continue
        const index = Math.floor(random() * workers)
        const victim = running[index]
        if (victim === undefined || victim.child.exitCode !== null)
          throw new Error(`a worker ended: ${victim?.texts.err}`)
        victim.child.kill('SIGKILL')
        kills++
        const taken = takenAgain(database, victim.child.pid as number)
        running[index] = start()
        const milliseconds = await taken
        if (milliseconds !== undefined) again.push(milliseconds)
      }
      for (const { child } of running) child.kill('SIGTERM')
      expect(await Promise.all(running.map(({ ended }) => ended))).toEqual(running.map(() => 143))
      expect({ isRestarted, isKilled: kills > 0 }).toEqual({ isRestarted: true, isKilled: true })
      expect(await status()).toMatchObject({ uploaded: count, failed: 0, retrying: 0, skipped: 0 })

      const listed = await publications()
      expect(listed.map(({ title }) => title).sort()).toEqual(titles.sort())
      expect(new Set(listed.map(({ uploadStatus }) => uploadStatus))).toEqual(new Set(['available']))
      await expect.poll(() => storedHashes(dataDir)).toEqual(hashes)
      await tellFigures(database, kills, again)
    },
    isFull ? 3_600_000 : 120_000,
  )
})

/** The milliseconds from a kill until a worker has a step again that the killed one had; undefined if it had none. */
async function takenAgain(database: string, pid: number): Promise<number | undefined> {
  const killed = performance.now()
  const locked = await postgres.query(
    database,
    `SELECT key, locked_by FROM pubctl_jobs.jobs JOIN pubctl.workers ON locked_by = workers.id::text
     WHERE pid = ${pid} AND key IS NOT NULL`,
  )
  const [first] = locked
  if (first === undefined) return undefined
  const keys = locked.map(({ key }) => `'${key}'`).join(', ')
  for (;;) {
    const [row] = await postgres.query(
      database,
      `SELECT EXISTS (SELECT FROM pubctl_jobs.jobs WHERE key IN (${keys}) AND locked_by <> '${first['locked_by']}')
         OR EXISTS (SELECT FROM pubctl.steps WHERE id::text IN (${keys}) AND state = 'done') AS again`,
    )
    if (row?.['again']) return Math.round(performance.now() - killed)
    if (performance.now() - killed > 30_000) throw new Error('nobody has taken the steps of a killed worker')
    await pause(20)
  }
}

/** Writes the figures of a run to the file that QUEUE_FIGURES names. */
async function tellFigures(database: string, kills: number, again: number[]): Promise<void> {
  const path = process.env['QUEUE_FIGURES']
  if (path === undefined) return
  const [row] = await postgres.query(
    database,
    `SELECT count(*) / extract(epoch FROM max("endedAt") - min("endedAt"))::float AS rate FROM pubctl.steps`,
  )
  const sorted = again.sort((one, other) => one - other)
  const [database_] = await postgres.query(
    database,
    `SELECT xact_commit AS commits, pg_database_size(current_database()) AS bytes FROM pg_stat_database
     WHERE datname = current_database()`,
  )
  const figures = {
    ...{ count, workers, kills, stepsPerSecond: row?.['rate'], ...database_ },
    millisecondsToNextRun: { median: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1) },
  }
  writeFileSync(path, `${JSON.stringify(figures)}\n`)
}
