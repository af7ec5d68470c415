import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import { bin } from '../support/machine/bin-path.ts'
import { isFull } from '../support/machine/full.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { generatedService } from '../support/servers/generated-service.ts'
import { usePostgres } from '../support/servers/postgres.ts'

const isRun = isSlow || isFull
const postgres = usePostgres(isRun)
/** `npm run check:slow -- --full` measures what docs/scale.md says of a million books; SIMULATED_STEPS says with how many. */
const count = Number(process.env['SIMULATED_STEPS'] ?? (isFull ? 5000 : 20))
const workers = Number(process.env['SIMULATED_WORKERS'] ?? (isFull ? 4 : 1))
const service = isFull
  ? { answer: 60, upload: 250, processing: 20_000 }
  : { answer: 1, upload: 1, processing: 1500 }

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

it.runIf(isRun)(
  `${count} books over ${workers} workers cost the service and the database what the page says`,
  {
    timeout: 1_800_000,
  },
  async () => {
    const { url, scopeId, requests, sent } = await generatedService(service)
    const folder = temporaryFolder()
    const [book, plan] = [join(folder, 'book.epub'), join(folder, 'plan.ndjson')]
    writeFileSync(book, await makeExampleEpub({ title: 'A Book', cover: false }))
    const steps = Array.from({ length: count }, (_, index) =>
      createStep(book, String(9_780_000_000_000 + index), `Book ${index}`),
    )
    writePlan(plan, { baseUrl: url, scopeId }, steps)
    const database = await postgres.database()
    const env = {
      PUBCTL_BASE_URL: url,
      PUBCTL_API_KEY: 'simulated-key-0123456789',
      PUBCTL_DATABASE_URL: database,
    }
    const { run } = machine(env)
    const status = async () => JSON.parse((await run(['queue', 'status', '--json'])).out)

    expect(await status()).toMatchObject({ steps: 0 })
    const running = Array.from({ length: workers }, () => startWorker({ HOME: folder, ...env }))
    await expect.poll(async () => (await status()).workers.length).toBe(workers)
    const commits = async () => {
      const [row] = await postgres.query(
        database,
        'SELECT xact_commit::float AS commits FROM pg_stat_database WHERE datname = current_database()',
      )
      return row?.['commits'] as number
    }
    // What they cost while they have nothing to do.
    const idleFor = isFull ? 20_000 : 1000
    const idleFrom = await commits()
    await pause(idleFor)
    const idle = ((await commits()) - idleFrom) / workers / (idleFor / 1000)

    const cpuFrom = running.map(cpuOf)
    const [began, from] = [performance.now(), await commits()]
    expect(await run(['queue', 'load', plan])).toMatchObject({ code: 0 })
    const middle = { at: 0, sent: 0 }
    let end = { at: 0, sent: 0 }
    for (;;) {
      await pause(isFull ? 2000 : 100)
      const now = { at: performance.now() - began, sent: sent() }
      // The first and the last steps find other conditions than those between.
      if (middle.at === 0 && now.sent >= count / 5) Object.assign(middle, now)
      if (end.at === 0 && now.sent >= count * 0.9) end = now
      if (now.sent === count && (await status()).uploaded === count) break
      const ended = running.find(({ exitCode }) => exitCode !== null)
      if (ended) throw new Error(`a worker ended with ${ended.exitCode}`)
    }
    const seconds = (performance.now() - began) / 1000
    // The database counts a transaction up to a second after its end.
    await pause(1500)
    const transactions = ((await commits()) - from - idle * workers * (seconds + 1.5)) / count
    const cpu = running.map((each, index) => cpuOf(each) - (cpuFrom[index] as number))
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(running.map(async child => child.exitCode ?? (await once(child, 'exit'))))
    const total = [...requests.values()].reduce((sum, each) => sum + each, 0)
    const [size] = await postgres.query(
      database,
      `SELECT pg_database_size(current_database())::float AS bytes, n_tup_upd::float AS updates
     FROM pg_stat_user_tables WHERE relid = 'pubctl.uploads'::regclass`,
    )

    const figures = {
      ...{ steps: count, workers, service },
      requestsPerStep: round(total / count),
      transactionsPerStep: round(transactions),
      idleTransactionsPerSecondOfAWorker: round(idle),
      stepsPerSecond: round((end.sent - middle.sent) / ((end.at - middle.at) / 1000)),
      millisecondsOfProcessorPerStep: round(cpu.reduce((sum, each) => sum + each, 0) / count),
      journalUpdatesPerStep: round(Number(size?.['updates']) / count),
      kilobytesOfDatabasePerStep: round(Number(size?.['bytes']) / 1000 / count),
      requests: Object.fromEntries([...requests].map(([route, each]) => [route, round(each / count)])),
    }
    const path = process.env['SIMULATION_FIGURES']
    if (path !== undefined) writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`)
    // A creation, a file and two searches; the rest are questions for the status.
    expect(figures.requests['POST /v1/publications']).toBe(1)
    expect(figures.requests['PUT /put/{id}']).toBe(1)
    expect(figures.requestsPerStep).toBeLessThan(16)
    // It is created, sent and available: how far processing is on the way is written with what comes next.
    expect(figures.journalUpdatesPerStep).toBeLessThanOrEqual(3)
    // With few steps, those of the test itself count.
    if (isFull) expect(figures.transactionsPerStep).toBeLessThan(10)
  },
)

const round = (value: number): number => Math.round(value * 100) / 100

function startWorker(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [bin, 'worker', '--quiet'], {
    env,
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The milliseconds of processor that a process has taken, where the system tells. */
function cpuOf({ pid }: ChildProcess): number {
  try {
    const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(values[11]) + Number(values[12])) * 10
  } catch {
    return Number.NaN
  }
}
