import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import { handOver, makeCluster, user } from '../support/servers/postgres-cluster.ts'
import { contest, median } from './contest.ts'
import { type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, judgeTime, type Measured } from './row.ts'
import type { Addresses } from './service.ts'

const count = 1000

/** Steps of a plan, carried out by a worker of a queue and by `catalogue apply`. */
export const queue: Bench = {
  name: 'queue',
  async run(machine) {
    const { api } = await machine.serve<Addresses>([...self, '--serve', '0'])
    const database = await openDatabase()
    try {
      const book = join(machine.folder, 'queued.epub')
      writeFileSync(book, await makeExampleEpub({ title: 'A Book', cover: false, paddingBytes: 195_000 }))
      const env = { PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench' }
      const plan = (steps: number): string => planOf(machine, { api, book, steps })
      const worker = (steps: number) => work(machine, database, plan(steps), env)
      const turns: Worked[] = []
      for (let turn = 0; turn < machine.turns(4); turn++) turns.push(await worker(count))
      const middle = (of: (worked: Worked) => number) => median(turns.map(of))
      let applied = 0
      const { apply } = await contest(machine.turns(4), {
        apply: async () =>
          await machine.processorOf([...pubctl, 'catalogue', 'apply', plan(count), '--quiet'], {
            ...env,
            PUBCTL_DATA_DIR: join(machine.folder, `applied-${applied++}`),
          }),
      })
      const long = await worker(count * machine.turns(20))
      return [
        judgeTime(
          '`pubctl worker`, 1,000 steps',
          'of processor a step',
          { most: 10 },
          middle(each => each.milliseconds) / count,
        ),
        transactionsRow(middle(each => each.transactions) / count),
        judge(
          '`pubctl worker`, memory of 20,000 steps',
          'that of 1,000',
          { most: 1.2 },
          long.peakMiB / middle(each => each.peakMiB),
          { peakMiB: long.peakMiB },
        ),
        judgeTime('`pubctl catalogue apply`, 1,000 steps', 'of processor a step', { most: 4 }, apply / count),
      ]
    } finally {
      await database.close()
    }
  },
}

const transactionsRow = (each: number): Measured => ({
  what: '`pubctl worker`, transactions',
  goal: '≤ 6 a step',
  result: each.toFixed(1),
  isReached: each <= 6,
  figures: { transactions: each },
})

let plans = 0

/** A plan whose steps make publications of one book, each with a key of its own. */
function planOf(
  machine: Machine,
  { api, book, steps }: { api: string; book: string; steps: number },
): string {
  const path = join(machine.folder, `queued-${plans++}.ndjson`)
  const all = Array.from({ length: steps }, (_, index) =>
    createStep(book, String(9_780_000_000_000 + index), `Book ${index}`),
  )
  writePlan(path, { baseUrl: api, scopeId: null }, all)
  return path
}

interface Worked {
  readonly milliseconds: number
  readonly peakMiB: number
  readonly transactions: number
}

/** Has a worker carry out a plan in a new database. */
async function work(
  machine: Machine,
  database: Database,
  plan: string,
  env: Readonly<Record<string, string>>,
): Promise<Worked> {
  const url = await database.create()
  const queued = { ...env, PUBCTL_DATABASE_URL: url }
  await machine.run([...pubctl, 'queue', 'load', plan, '--quiet'], queued)
  const before = await database.transactions(url)
  const cost = await machine.costOf([...pubctl, 'worker', '--once', '--quiet'], queued)
  return { ...cost, transactions: (await database.transactions(url)) - before }
}

interface Database {
  /** Makes an empty database, and gives its address. */
  create(): Promise<string>
  /** How many transactions there have been in it. */
  transactions(url: string): Promise<number>
  close(): Promise<void>
}

/** Starts a PostgreSQL server in a folder of its own, since whoever it runs as may not read that of the bench. */
async function openDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-bench-'))
  handOver(folder)
  const { programs, data } = await makeCluster(folder)
  const port = await freePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `port=${port}`].flatMap(each => ['-c', each])
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, ...settings], {
    ...{ ...user, stdio: 'ignore', cwd: folder },
  })
  const urlOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const query = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  await untilItAnswers(server, () => query(urlOf('postgres'), 'SELECT 1'))
  let databases = 0
  return {
    async create() {
      const name = `bench${databases++}`
      await query(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    async transactions(url) {
      // They are counted up to a second after their end.
      await sleep(1500)
      const [row] = await query(
        url,
        'SELECT xact_commit::float AS commits FROM pg_stat_database WHERE datname = current_database()',
      )
      return row.commits
    },
    async close() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(server: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await ask())
    } catch (error) {
      if (server.exitCode !== null) throw error
      await sleep(50)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
