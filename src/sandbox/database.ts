import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { UsageFailure } from '../errors.ts'
import { schema } from './schema.ts'

/** What a column takes; the driver aborts the process when it is given anything else. */
export type Value = string | number | null

/** A connection to a sandbox's store. Statements are prepared once; every call is synchronous. */
export interface Database {
  get<Row>(sql: string, ...values: Value[]): Row | undefined
  all<Row>(sql: string, ...values: Value[]): Row[]
  /** Returns how many rows were changed. */
  run(sql: string, ...values: Value[]): number
  /** Does its work as one transaction, which no other process writes into. Calls may be nested. */
  write<T>(work: () => T): T
  close(): void
}

/** How long a write waits for another process's to end. */
const busyMilliseconds = 10_000

export const databasePath = (dataDir: string): string => join(dataDir, 'sandbox.db')

/**
 * Opens the store in a data directory, which is made when missing and readable by its owner alone, and brings its
 * schema up to date. `seed` fills a new one, in the transaction that makes it. Throws UsageFailure `sandbox_data`
 * when the file is no store of ours, or that of a newer version.
 */
export function openDatabase(dataDir: string, seed: (db: Database) => void): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return waitingWhileBusy(() => {
    const raw = new Libsql(databasePath(dataDir))
    try {
      raw.pragma(`busy_timeout = ${busyMilliseconds}`)
      raw.pragma('journal_mode = WAL')
      raw.pragma('synchronous = NORMAL')
      raw.pragma('foreign_keys = ON')
      const db = wrap(raw)
      migrate(raw, db, seed)
      return db
    } catch (error) {
      raw.close()
      const { code } = error as { code?: string }
      if (code !== 'SQLITE_NOTADB' && code !== 'SQLITE_CORRUPT') throw error
      throw unusable(`${databasePath(dataDir)} is damaged`, error)
    }
  })
}

function wrap(raw: Libsql.Database): Database {
  const statements = new Map<string, Libsql.Statement>()
  const prepared = (sql: string): Libsql.Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = raw.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    // The driver would take a lone null or object for named parameters, but not an array.
    get: <Row>(sql: string, ...values: Value[]) => prepared(sql).get(values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(values) as Row[],
    run: (sql, ...values) => prepared(sql).run(values).changes,
    write(work) {
      if (raw.inTransaction) return work()
      // From its start on, since a transaction that begins by reading cannot wait for another's write.
      raw.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        raw.exec('COMMIT')
        return result
      } catch (error) {
        if (raw.inTransaction) raw.exec('ROLLBACK')
        throw error
      }
    },
    close: () => raw.close(),
  }
}

/** Each version of the schema is a step from the one before; `user_version` counts the steps taken. */
function migrate(raw: Libsql.Database, db: Database, seed: (db: Database) => void): void {
  const version = (): number => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  if (version() === schema.length) return
  db.write(() => {
    // Another process may have been first.
    const from = version()
    if (from > schema.length) throw unusable('the sandbox was made by a newer version of pubctl')
    for (const step of schema.slice(from)) raw.exec(step)
    if (from === 0) seed(db)
    raw.exec(`PRAGMA user_version = ${schema.length}`)
  })
}

const unusable = (message: string, cause?: unknown): UsageFailure =>
  new UsageFailure(message, {
    code: 'sandbox_data',
    hint: 'Start over with "pubctl sandbox reset", or use another data directory.',
    cause,
  })

/** Switching to the write-ahead log fails at once, whatever the timeout, while another process does the same. */
function waitingWhileBusy<T>(open: () => T): T {
  const until = Date.now() + busyMilliseconds
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')
