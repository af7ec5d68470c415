import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { bundleSimulation, runSimulation } from '../../.ci/simulate.js'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import type { Happened } from './database/recording.ts'
import type { Row } from './database/tables.ts'

const postgres = usePostgres()

/** Has PostgreSQL take its time, and that of its start, from whoever asks: so they are those of the simulated history. */
const simulatedTime = ['now', 'start'].map(
  name => `SET allow_system_table_mods = on;
    CREATE OR REPLACE FUNCTION pg_catalog.${name === 'now' ? 'now' : 'pg_postmaster_start_time'}() RETURNS timestamptz
      LANGUAGE sql STABLE AS $$ SELECT coalesce(nullif(pg_catalog.current_setting('simulated.${name}', true), ''),
        '2026-01-01')::timestamptz $$`,
)

interface Connection {
  readonly client: pg.Client
  /** The statement that it carries out, or waits with. */
  answer: Promise<Row[]>
  /** How often it was notified. */
  heard: number
  sql: string
}

/** Whole numbers of 64 bits are read as pubctl reads them. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === 20 ? Number : pg.types.getTypeParser(id, format as 'text'),
} as pg.ClientConfig['types']

/** What differs between one PostgreSQL and another one, or is in no order. */
const comparable = (rows: readonly Row[]): string[] =>
  rows.map(({ server_version_num: _, ...row }) => JSON.stringify(Object.entries(row).sort())).sort()

/** Asks PostgreSQL what its stand-in was asked, over as many connections, and calls a function with both answers. */
async function replay(
  url: string,
  history: readonly Happened[],
  compare: (sql: string, real: readonly Row[], standIn: readonly Row[]) => void,
) {
  const connections = new Map<number, Connection>()
  for (const happened of history) {
    const { session, is } = happened
    const connection = connections.get(session)
    if (is === 'connected') {
      const client = new pg.Client({ connectionString: url, types })
      client.on('error', () => undefined)
      await client.connect()
      const own = { client, answer: Promise.resolve([]), heard: 0, sql: '' }
      client.on('notification', () => own.heard++)
      connections.set(session, own)
    } else if (!connection) throw new Error(`there is no connection ${session}`)
    else if (is === 'sent') {
      const { sql, values, now, start } = happened
      const { client } = connection
      void client.query(
        `SELECT set_config('simulated.now', '${now}', false), set_config('simulated.start', '${start}', false)`,
      )
      connection.sql = sql
      connection.answer = client
        .query(sql, values.length > 0 ? [...values] : undefined)
        .then(({ rows }) => rows ?? [])
      await carriedOut(url, connection)
    } else if (is === 'answered') compare(connection.sql, await connection.answer, happened.rows)
    else if (is === 'heard') {
      while (connection.heard === 0) await once(connection.client, 'notification')
      connection.heard--
    } else await cut(url, connection.client)
  }
  for (const { client } of connections.values()) await client.end()
}

/**
 * Resolves when PostgreSQL has carried out a statement or has it wait for a lock. The stand-in carries each out at once or has it
 * wait, so that what another connection sends next finds what this one has done.
 */
async function carriedOut(
  url: string,
  { client, answer }: Connection & { client: { processID?: number | null } },
) {
  let isAnswered = false
  const answered = answer
    .catch(() => undefined)
    .then(() => {
      isAnswered = true
    })
  const waiting = `SELECT FROM pg_stat_activity WHERE pid = ${client.processID} AND wait_event_type = 'Lock'`
  for (;;) {
    await Promise.race([answered, sleep(20)])
    if (isAnswered || (await postgres.query(url, waiting)).length > 0) return
  }
}

/** Breaks a connection, and waits until PostgreSQL has noticed. */
async function cut(url: string, client: pg.Client & { processID?: number | null }) {
  const pid = client.processID
  await postgres.query(url, `SELECT pg_terminate_backend(${pid}, 10000)`)
}

const histories: readonly [string, readonly string[]][] = [
  ['a worker dies while it has a step', ['--scenario', 'worker', '--fault', '0.0.48:die-after']],
  ['nothing goes wrong', ['--scenario', 'worker']],
  ['a commit is lost', ['--scenario', 'worker', '--fault', '0.0.67:connection-lost-after']],
  ['the server restarts', ['--scenario', 'worker', '--fault', '0.0.40:database-restarts']],
]

it.runIf(isSlow).each(histories)(
  'PostgreSQL answers what its stand-in does: %s',
  { timeout: 300_000 },
  async (_, args) => {
    const statements = join(temporaryFolder(), 'statements.ndjson')
    const path = await bundleSimulation('stand-in')
    await runSimulation(path, ['--replay', ...args, '--mood', 'usual', '--statements', statements])
    const history = readFileSync(statements, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Happened)
    const url = await postgres.database()
    expect((await machine({ PUBCTL_DATABASE_URL: url }).run(['queue', 'status'])).code).toBe(0)
    for (const sql of simulatedTime) await postgres.query(url, sql)
    let answers = 0
    await replay(url, history, (sql, real, standIn) => {
      answers++
      const answered = JSON.parse(JSON.stringify(real)) as Row[]
      expect({ sql, rows: comparable(answered) }).toEqual({ sql, rows: comparable(standIn) })
    })
    expect(answers).toBeGreaterThan(90)
  },
)
