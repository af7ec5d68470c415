import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { loadDriver } from './database-driver.ts'
import { errorName, isBusy, isDamaged, isUnwritable } from './database-error.ts'
import { makeFolder } from './make-folder.ts'
import { monotonic } from './monotonic.ts'
import { checkOwnership } from './ownership.ts'
import { checkSchemaText, type DamagedText, prepareReadable, type Readable } from './readable.ts'

/** The values of a column. The driver crashes the process for any other value. A zero character is kept as U+FFFD. */
export type SqlValue = string | number | null

/** A connection to an SQLite file. Statements are prepared once. All calls are synchronous. */
export interface Database {
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined
  /** A statement that changes something and returns rows belongs into `write`. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[]
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number
  /** Runs `work` in a transaction that excludes other writers. Calls may be nested. */
  write<T>(work: () => T): T
  /** Runs `work` with a very short timeout for locks, because waiting blocks this process. */
  briefly<T>(work: () => T): T
  /** Moves the write-ahead log into the file unless another process uses it, so that the file alone can be copied. */
  close(): void
}

export type Migration = string | ((db: Database) => void)

interface DatabaseOptions {
  /**
   * The migrations from each version of the schema to the next, in SQL or as a function. `user_version` counts those that
   * were done.
   */
  readonly schema: readonly Migration[]
  /** What all migrations make of nothing, in one go, for a new database. */
  readonly newSchema?: string
  /** Fills a new database, in the transaction that creates it. */
  readonly seed?: (db: Database) => void
  /** The failure for a file that cannot be used; `trouble` is a clause that follows "the sandbox at …" or the like. */
  readonly unusable: (trouble: string, cause?: unknown) => Error
  /**
   * What is done with a text that is not UTF-8, and with bytes where a text belongs. The file counts as damaged; or it is read with
   * U+FFFD in it, where each row tells by itself whether it is as it was written.
   */
  readonly damagedText?: DamagedText
}

/** The path of a database in memory. */
export const inMemory = ':memory:'

/** The clause for a file that another process kept locked. */
export const heldByOther = 'is held by another program'

/** How long a statement waits for another process. */
const busyMilliseconds = 10_000
/**
 * How long SQLite itself waits before it is asked again. It looks less and less often the longer it waits, up to ten times a
 * second, and with many writers it would then rarely find the file free.
 */
const askedEvery = 20

/**
 * The pages of 4 KiB in the write-ahead log after which they are moved into the database, for which the disk is waited. A batch of
 * 1,000 books writes 14,000: SQLite's own limit of 1,000 has it wait fourteen times, and takes 1.02 times as long on a quick disk.
 */
const mostInLog = 4000

/** The shorter timeout where waiting is optional, as for closing: another process also checkpoints the log. */
const briefMilliseconds = 100

/**
 * Opens an SQLite file, which several processes may use at a time, and migrates its schema. Creates a missing file and its
 * folder for their owner alone.
 */
export function openDatabase(path: string, options: DatabaseOptions): Database {
  const { schema, newSchema, seed, unusable, damagedText } = options
  try {
    if (path !== inMemory) makeFolder(dirname(path))
    checkFiles(path)
    // SQLite would make it readable for everybody. The -wal and -shm files get the same mode.
    if (path !== inMemory) closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw inWords(error, unusable)
  }
  const Driver = loadDriver()
  return waitingWhileBusy(unusable, () => {
    let raw: Libsql.Database | undefined
    try {
      raw = new Driver(path)
      raw.pragma(`busy_timeout = ${askedEvery}`)
      raw.pragma('journal_mode = WAL')
      raw.pragma('synchronous = NORMAL')
      raw.pragma(`wal_autocheckpoint = ${mostInLog}`)
      raw.pragma('foreign_keys = ON')
      checkSchemaText(raw)
      const db = wrap(raw, damagedText)
      migrate(raw, db)
      return db
    } catch (error) {
      raw?.close()
      const failure = inWords(error, unusable)
      // Until it is asked for its stack, an error keeps the functions in it, and they the file, which Windows then does not remove.
      void Object(failure).stack
      throw failure
    }
  })

  function migrate(raw: Libsql.Database, db: Database): void {
    if (versionOf(db) === schema.length) return
    let from = 0
    db.write(() => {
      // Another process may have created it first.
      from = versionOf(db)
      if (from > schema.length) throw newer(unusable)
      const steps = from === 0 && newSchema !== undefined ? [newSchema] : schema.slice(from)
      for (const step of steps) {
        if (typeof step === 'string') raw.exec(step)
        else step(db)
      }
      if (from === 0) seed?.(db)
      raw.exec(`PRAGMA user_version = ${schema.length}`)
    })
    // Rows that were moved between pages leave copies behind, secure_delete or not, of what a migration took out as well.
    if (from === 0) return
    raw.pragma(`busy_timeout = ${busyMilliseconds}`)
    raw.exec('VACUUM')
    raw.pragma(`busy_timeout = ${askedEvery}`)
  }
}

/**
 * Opens a database for the temporary tables of this process. They are on the disk as far as they do not fit into a small
 * cache, in a file that SQLite deletes at once, so that nothing is left even if the process is killed.
 */
export function openTemporaryDatabase(schema: string): Database {
  const raw = new (loadDriver())(inMemory)
  raw.pragma('temp_store = FILE')
  raw.pragma('temp.journal_mode = OFF')
  raw.exec(schema)
  // Nothing is ever rolled back, and a transaction for each statement would take longer than the statement.
  raw.exec('BEGIN')
  return wrap(raw, 'replaced')
}

/** Opens an SQLite file for reading; undefined if there is none or it has no schema yet. Migrates an older version first. */
export function openToRead(
  path: string,
  options: Pick<DatabaseOptions, 'schema' | 'unusable' | 'damagedText'>,
): Database | undefined {
  const { schema, unusable, damagedText } = options
  checkFiles(path)
  try {
    closeSync(openSync(path, 'r'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw inWords(error, unusable)
  }
  // The driver ignores its own option for this.
  const raw = new (loadDriver())(`${addressOf(path)}?mode=ro`)
  try {
    raw.pragma(`busy_timeout = ${askedEvery}`)
    checkSchemaText(raw)
    const db = wrap(raw, damagedText)
    const version = versionOf(db)
    if (version > schema.length) throw newer(unusable)
    if (version === schema.length) return db
    raw.close()
    return version === 0 ? undefined : openDatabase(path, options)
  } catch (error) {
    raw.close()
    // Only a connection that may write can roll back the transaction of a process that was killed.
    if (isUnwritable(error)) return openDatabase(path, options)
    throw inWords(error, unusable)
  }
}

/** The address of a file for SQLite, which takes no other machine for the host of one, but a path that begins with two slashes. */
function addressOf(path: string): string {
  const { href, host } = pathToFileURL(path)
  return host === '' ? href : href.replace('file://', 'file:////')
}

/** SQLite treats the -wal and -shm files as parts of the file. */
function checkFiles(path: string): void {
  if (path === inMemory) return
  for (const each of [dirname(path), path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    checkOwnership(each)
}

const versionOf = (db: Database): number =>
  db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0

type Unusable = DatabaseOptions['unusable']

const newer = (unusable: Unusable): Error => unusable('was made by a newer version of pubctl')

/** An error of opening a file as a failure, if it is an expected one. */
function inWords(error: unknown, unusable: Unusable): unknown {
  if (isUnwritable(error)) return unusable(`cannot be opened (${errorName(error)})`, error)
  return isDamaged(error) ? unusable('is damaged', error) : error
}

/**
 * A text as it is kept. The driver cuts a text that it reads at a zero character, so that it would not be found again, and pages
 * that go on behind the last text would never end; SQLite has no place for half of a pair of surrogates.
 */
export const keptText = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.replace(/\0|\p{Surrogate}/gu, '\ufffd')

const kept = (values: SqlValue[]): SqlValue[] =>
  values.some(value => typeof value === 'string' && value.includes('\0'))
    ? values.map(value => (typeof value === 'string' ? keptText(value) : value))
    : values

function wrap(raw: Libsql.Database, damagedText: DamagedText = 'refused'): Database {
  const statements = new Map<string, Readable>()
  const prepared = (sql: string): Readable => {
    const known = statements.get(sql)
    if (known) return known
    const readable = prepareReadable(raw, sql, damagedText)
    statements.set(sql, readable)
    return readable
  }
  let patience = busyMilliseconds
  const patiently = <T>(ask: () => T): T => {
    let until: number | undefined
    for (;;) {
      try {
        return ask()
      } catch (error) {
        // Not before each statement, since hardly any is refused. The driver itself has waited until then.
        until ??= monotonic() + patience
        if (!isBusy(error) || monotonic() > until) throw error
      }
    }
  }
  const write = <T>(work: () => T): T => {
    if (raw.inTransaction) return work()
    // Locks at once, because a transaction that begins with a read cannot wait for another writer later.
    patiently(() => raw.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      raw.exec('COMMIT')
      return result
    } catch (error) {
      if (raw.inTransaction) raw.exec('ROLLBACK')
      throw error
    }
  }
  return {
    // Without an array, the driver takes a single null or object for named parameters.
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      patiently(() => prepared(sql).get(kept(values)) as Row | undefined),
    all: <Row>(sql: string, ...values: SqlValue[]) =>
      patiently(() => prepared(sql).all(kept(values)) as Row[]),
    // In a transaction, because a statement that waited for a lock in vain would stay open, and keep the log from being emptied.
    run: (sql, ...values) => write(() => prepared(sql).run(kept(values)).changes),
    write,
    briefly(work) {
      patience = briefMilliseconds
      try {
        return work()
      } finally {
        patience = busyMilliseconds
      }
    },
    close() {
      try {
        raw.pragma(`busy_timeout = ${briefMilliseconds}`)
        // The driver does not checkpoint the log when it closes.
        raw.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // The content of the log is not lost.
      } finally {
        raw.close()
        statements.clear()
      }
    },
  }
}

/** Switching to the write-ahead log ignores the timeout, and fails while another process does the same. */
function waitingWhileBusy<T>(unusable: Unusable, open: () => T): T {
  const until = monotonic() + busyMilliseconds
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (monotonic() > until) throw unusable(heldByOther, error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}
