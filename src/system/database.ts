import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { UsageFailure } from '../errors.ts'
import { isBusy, isDamaged, isUnwritable, nameOf } from './database-error.ts'
import { makeFolder } from './make-folder.ts'
import { checkOwnership } from './ownership.ts'

/** What a column takes; the driver aborts the process when it is given anything else. */
export type Value = string | number | null

/** A connection to an SQLite file. Statements are prepared once; every call is synchronous. */
export interface Database {
  get<Row>(sql: string, ...values: Value[]): Row | undefined
  all<Row>(sql: string, ...values: Value[]): Row[]
  /** Returns how many rows were changed. */
  run(sql: string, ...values: Value[]): number
  /** Does its work as one transaction, which no other process writes into. Calls may be nested. */
  write<T>(work: () => T): T
  /** Does its work without waiting for another process, but for a moment: nothing else goes on while one waits. */
  briefly<T>(work: () => T): T
  /** Moves what stands in the log into the file, unless another process is at work in it: a copy needs the file alone. */
  close(): void
}

export type Step = string | ((db: Database) => void)

interface DatabaseOptions {
  /**
   * Each version of the schema as a step from the one before, in SQL or, where SQL alone cannot do it, as a function;
   * `user_version` counts the steps taken.
   */
  readonly schema: readonly Step[]
  /** Fills a new database, in the transaction that makes it. */
  readonly seed?: (db: Database) => void
  /** The failure to throw when the file cannot be used; `trouble` goes on from "the sandbox at …" or the like. */
  readonly unusable: (trouble: string, cause?: unknown) => Error
}

/** In place of a path: a database that nothing outlives. */
export const inMemory = ':memory:'

/** What is said of a file that another process did not let go of in time. */
export const heldByOther = 'is held by another program'

/** How long a write waits for another process's to end. */
const busyMilliseconds = 10_000
/** How long is waited at most where there is another way, as there is for closing: the other process empties the log too. */
const briefMilliseconds = 100

/**
 * Opens an SQLite file, which several processes may use at a time, and brings its schema up to date. File and folder are
 * made when missing, for their owner alone.
 */
export function openDatabase(path: string, { schema, seed, unusable }: DatabaseOptions): Database {
  try {
    if (path !== inMemory) makeFolder(dirname(path))
    checkFiles(path)
    // SQLite would make it readable for everybody; its companions take their mode from it.
    if (path !== inMemory) closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw inWords(error, unusable)
  }
  const Driver = loadDriver()
  return waitingWhileBusy(unusable, () => {
    const raw = new Driver(path)
    try {
      raw.pragma(`busy_timeout = ${busyMilliseconds}`)
      raw.pragma('journal_mode = WAL')
      raw.pragma('synchronous = NORMAL')
      raw.pragma('foreign_keys = ON')
      const db = wrap(raw)
      migrate(raw, db)
      return db
    } catch (error) {
      raw.close()
      throw inWords(error, unusable)
    }
  })

  function migrate(raw: Libsql.Database, db: Database): void {
    if (versionOf(db) === schema.length) return
    db.write(() => {
      // Another process may have been first.
      const from = versionOf(db)
      if (from > schema.length) throw newer(unusable)
      for (const step of schema.slice(from)) {
        if (typeof step === 'string') raw.exec(step)
        else step(db)
      }
      if (from === 0) seed?.(db)
      raw.exec(`PRAGMA user_version = ${schema.length}`)
    })
  }
}

/**
 * Opens an SQLite file to read from it alone; nothing where there is none, or none with a schema yet. One of an older
 * version is brought up to date first.
 */
export function openToRead(
  path: string,
  { schema, unusable }: Pick<DatabaseOptions, 'schema' | 'unusable'>,
): Database | undefined {
  checkFiles(path)
  try {
    closeSync(openSync(path, 'r'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw inWords(error, unusable)
  }
  // The driver takes no notice of its own option for this.
  const raw = new (loadDriver())(`${pathToFileURL(path).href}?mode=ro`)
  try {
    raw.pragma(`busy_timeout = ${busyMilliseconds}`)
    const db = wrap(raw)
    const version = versionOf(db)
    if (version > schema.length) throw newer(unusable)
    if (version === schema.length) return db
    raw.close()
    return version === 0 ? undefined : openDatabase(path, { schema, unusable })
  } catch (error) {
    raw.close()
    // What a process left half done that was killed, only one that may write can take back.
    if (isUnwritable(error)) return openDatabase(path, { schema, unusable })
    throw inWords(error, unusable)
  }
}

/** What stands in its companions, SQLite takes for a part of the file. */
function checkFiles(path: string): void {
  if (path === inMemory) return
  for (const each of [dirname(path), path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    checkOwnership(each)
}

const versionOf = (db: Database): number =>
  db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0

type Unusable = DatabaseOptions['unusable']

const newer = (unusable: Unusable): Error => unusable('was made by a newer version of pubctl')

/** What went wrong with a file while it was opened, as a failure where it is one that a person can understand. */
function inWords(error: unknown, unusable: Unusable): unknown {
  if (isUnwritable(error)) return unusable(`cannot be opened (${nameOf(error)})`, error)
  return isDamaged(error) ? unusable('is damaged', error) : error
}

/** The driver is native, and the one part that an installation can be without. */
function loadDriver(): typeof Libsql {
  try {
    return createRequire(import.meta.url)('libsql')
  } catch (error) {
    const machine = `${process.platform}-${process.arch}`
    throw new UsageFailure(`the package libsql is not installed for ${machine}, and this needs it`, {
      code: 'no_database_driver',
      hint: 'The sandbox and the journal of uploads need it. Install pubctl again, with its optional packages.',
      cause: error,
    })
  }
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
    briefly(work) {
      raw.pragma(`busy_timeout = ${briefMilliseconds}`)
      try {
        return work()
      } finally {
        raw.pragma(`busy_timeout = ${busyMilliseconds}`)
      }
    },
    close() {
      try {
        raw.pragma(`busy_timeout = ${briefMilliseconds}`)
        // The driver would leave it all in the log.
        raw.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // What stands in the log is not lost.
      } finally {
        raw.close()
      }
    },
  }
}

/** Switching to the write-ahead log fails at once, whatever the timeout, while another process does the same. */
function waitingWhileBusy<T>(unusable: Unusable, open: () => T): T {
  const until = performance.now() + busyMilliseconds
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > until) throw unusable(heldByOther, error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}
