import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Client, ClientConfig, Pool, QueryResultRow } from 'pg'
import { backoff } from '../../system/backoff.ts'
import { UsageFailure } from '../../system/errors.ts'
import { isLoopbackAddress } from '../../system/loopback.ts'
import { databaseFailure, isConflict, isConnectionError } from './errors.ts'
import { type TlsWishes, tlsFor, withoutTls } from './tls.ts'

/** A value of a statement; arrays become arrays of PostgreSQL. */
type Value = string | number | boolean | null | readonly (string | number | null)[]

/** Runs one statement and returns its rows; `$1` stands for the first value. */
export type Query = <Row extends QueryResultRow>(sql: string, values?: readonly Value[]) => Promise<Row[]>

/** The connections of one process to a PostgreSQL database. */
export interface Postgres {
  /**
   * Runs a statement. If the connection is lost later on, it is repeated for up to a minute, so each statement must be one
   * that may run twice.
   */
  readonly query: Query
  /** Runs `work` in a transaction, which is repeated like a statement. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** For libraries that use the connections themselves. */
  readonly pool: Pool
  /** A connection of its own, for locks that last as long as it does. `prepare` is repeated with another one like a statement. */
  connect(prepare: (client: Client) => Promise<unknown>): Promise<Client>
  close(): Promise<void>
}

interface PostgresOptions extends TlsWishes {
  readonly connections: number
  readonly clock: { monotonic(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }
  readonly signal: AbortSignal
}

/** How long statements are repeated when the connection is lost, in milliseconds. */
const patience = 60_000

/**
 * The server learns within half a minute that a machine is gone, and frees what it had locked. Without this, it takes two
 * hours. A function of another user in the schema "public" must never be taken for one of PostgreSQL.
 */
const settings = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET search_path = pg_catalog, pg_temp`

/** Opens connections when they are used. Throws only if the driver is missing, or the address cannot be used. */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const { connections, clock, signal } = options
  const { default: pg } = await loadDriver()
  const connectionString = withoutTls(options.url)
  const ssl = await tlsFor(new pg.Client({ connectionString }).host, options)
  const config: ClientConfig = {
    ...{ connectionString, ssl },
    application_name: 'pubctl',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    // Whole numbers of 64 bits, such as sizes and times, which stay far below 2^53.
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === 20 ? Number : pg.types.getTypeParser(id, format as 'text'),
    } as ClientConfig['types'],
  }
  const onConnect = async (client: { query(sql: string): Promise<unknown> }) => {
    await client.query(settings)
  }
  const Client = guardPassword(pg.Client)
  const pool = new pg.Pool({ ...config, Client, max: connections, onConnect })
  // A connection that breaks while nobody uses it is replaced by the next use.
  pool.on('error', () => undefined)
  pool.on('connect', client => {
    client.on('error', () => undefined)
  })

  let wasReached = false
  async function repeated<T>(work: () => Promise<T>): Promise<T> {
    const end = clock.monotonic() + patience
    for (let attempt = 0; ; attempt++) {
      const pause = backoff(attempt, { first: 100, most: 2000 })
      try {
        const result = await work()
        wasReached = true
        return result
      } catch (error) {
        const isPassing = isConnectionError(error) || isConflict(error)
        if (!isPassing || !wasReached || signal.aborted || clock.monotonic() + pause > end)
          throw databaseFailure(error)
      }
      // What is under way is still recorded when the command is interrupted.
      await clock.sleep(pause)
    }
  }

  return {
    pool,
    query: (sql, values = []) => repeated(async () => (await pool.query(sql, [...values])).rows),
    transaction: work =>
      repeated(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query('BEGIN')
          const result = await work(async (sql, values = []) => (await client.query(sql, [...values])).rows)
          await client.query('COMMIT')
          return result
        } catch (error) {
          await client.query('ROLLBACK').catch((trouble: Error) => {
            broken = trouble
          })
          throw error
        } finally {
          client.release(broken)
        }
      }),
    connect: prepare =>
      repeated(async () => {
        const client = new Client(config)
        client.on('error', () => undefined)
        try {
          await client.connect()
          await client.query(settings)
          await prepare(client)
          return client
        } catch (error) {
          void client.end()
          throw error
        }
      }),
    close: () => pool.end(),
  }
}

/** The driver is no part of pubctl, because only queues need it. */
async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg')
  } catch (error) {
    throw notInstalled('pg', error)
  }
}

/** The failure for a package of the queue that is not installed; other errors of loading it are thrown as they are. */
export function notInstalled(name: 'pg' | 'graphile-worker', error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String(code))) return error
  // Each of them may miss one of its own.
  const [, missing = name] = /^Cannot find (?:package|module) '([^']+)'/.exec(String(message)) ?? []
  return new UsageFailure(`the package ${missing} is not installed, and a queue needs it`, {
    code: 'no_queue_driver',
    hint: 'Install it beside pubctl: npm install --global graphile-worker@0.17 pg@8',
    cause: error,
  })
}

/** What the driver's client has that its types do not say. */
interface Connection extends EventEmitter {
  readonly ssl: unknown
  readonly stream: Socket
}

/**
 * A client of the driver that never sends a password in clear: without TLS, a server that asks for one is left, and so is
 * one that `localhost` leads to on another machine.
 */
function guardPassword(base: typeof Client): typeof Client {
  return class extends base {
    constructor(config: ConstructorParameters<typeof Client>[0]) {
      super(config)
      const { connection, host } = this as unknown as { connection: Connection; host: string }
      if (connection.ssl) return
      // These come before what the client itself does then, which finds the connection closed.
      connection.once('authenticationCleartextPassword', () => connection.stream.destroy(askedInClear()))
      connection.once('connect', () => {
        const { remoteAddress } = connection.stream
        if (host === 'localhost' && remoteAddress !== undefined && !isLoopbackAddress(remoteAddress))
          connection.stream.destroy(notThisMachine())
      })
    }
  }
}

const askedInClear = (): UsageFailure =>
  new UsageFailure('the server of the database asks for the password in clear, without TLS', {
    code: 'database_clear_password',
    hint: 'It was not sent. Let the server use scram-sha-256, or TLS: sslmode=verify-full in the address.',
  })

const notThisMachine = (): UsageFailure =>
  new UsageFailure('localhost is not an address of this machine', {
    code: 'database_refused',
    hint: 'Write 127.0.0.1 into the address of the database.',
  })
