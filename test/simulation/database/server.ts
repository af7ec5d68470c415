import { deserialize, serialize } from 'node:v8'
import type { Clock } from '../../../src/system/world.ts'
import { jobStatements } from './job-statements.ts'
import { journalStatements } from './journal-statements.ts'
import { queueStatements } from './queue-statements.ts'
import { recordSession } from './recording.ts'
import type { Statement } from './statement.ts'
import { type Content, openTables, type Row, type Transaction, Waits } from './tables.ts'

/** A connection to the server. */
export interface Session {
  readonly number: number
  /** What a statement is called in a trace. Throws for one that the stand-in does not know. */
  nameOf(sql: string): string
  /** Carries out a statement, once those that it has to wait for have ended. */
  carryOut(sql: string, values: readonly unknown[]): Promise<Row[]>
  /** The connection is no more: what it had begun is undone, and what it had locked is free. */
  end(): void
}

/** What stands here for PostgreSQL: its answers to what pubctl and the library of its queue ask it for. */
export interface SimulatedServer {
  /** `onNotice` is called for the channels that it listens to, `onEnd` when the server ends it. */
  connect(onNotice: (channel: string) => void, onEnd: () => void): Session
  /** Whether connections are taken: none are while it starts again. */
  isUp(): boolean
  /** It ends all connections, and starts again. */
  restart(): void
  rows(table: string): readonly Row[]
  /** What it has, for a server that begins with it. */
  saved(): Buffer
}

/** How long it takes to start again, in milliseconds. */
const startTime = 8000

const statements: readonly Statement[] = [...queueStatements, ...journalStatements, ...jobStatements]

/** The statement of an SQL text. Each text is looked for once. */
const known = new Map<string, Statement | undefined>()

function statementOf(sql: string): Statement | undefined {
  if (!known.has(sql)) {
    const text = sql.replaceAll(/\s+/g, ' ').trim()
    const found = statements.filter(({ begins }) => text.startsWith(begins))
    known.set(sql, found.sort((one, other) => other.begins.length - one.begins.length)[0])
  }
  return known.get(sql)
}

/** The statements about a transaction, and on locks that no row has. */
const own = ['BEGIN', 'COMMIT', 'ROLLBACK']
const sessionLock = 'SELECT pg_advisory_lock($1, $2)'
const transactionLock = 'SELECT pg_try_advisory_xact_lock($1, $2) AS got'

/** `saved` is what another one had. */
export function simulatedServer(clock: Clock, saved?: Buffer): SimulatedServer {
  const content: Content = saved ? deserialize(saved) : { rows: new Map(), sequences: new Map() }
  const tables = openTables(content)
  const sessions = new Map<Session, { listens: boolean; onNotice(channel: string): void; onEnd(): void }>()
  const now = () => new Date(clock.now())
  /** What nobody's transaction changes: who has which advisory lock, and since when the server runs. */
  const locks = new Map<string, { readonly holder: unknown; readonly until: Promise<void> }>()
  const startedAt = (): Date => (content.rows.get('server')?.get('startedAt')?.['at'] as Date) ?? new Date(0)
  const setPlain = (table: string, key: string, row: Row | undefined) => {
    const rows = content.rows.get(table) ?? new Map<string, Row>()
    content.rows.set(table, rows)
    if (row) rows.set(key, row)
    else rows.delete(key)
  }
  content.rows.delete('advisory')
  let upAt = 0
  let count = 0

  const freeLocks = (holder: unknown) => {
    for (const [id, lock] of locks) {
      if (lock.holder !== holder) continue
      locks.delete(id)
      setPlain('advisory', id, undefined)
    }
  }
  const takeLock = (values: readonly unknown[], holder: unknown, until: Promise<void>): boolean => {
    const id = values.join(' ')
    const known = locks.get(id)
    if (known && known.holder !== holder) return false
    locks.set(id, { holder, until })
    setPlain('advisory', id, { id })
    return true
  }

  const server: SimulatedServer = {
    isUp: () => clock.monotonic() >= upAt,
    restart() {
      upAt = clock.monotonic() + startTime
      setPlain('server', 'startedAt', { at: new Date(clock.now() + startTime) })
      for (const [session, { onEnd }] of [...sessions]) {
        session.end()
        onEnd()
      }
    },
    rows: table => [...(content.rows.get(table)?.values() ?? [])],
    saved: () => serialize(content),
    connect(onNotice, onEnd) {
      let transaction: Transaction | undefined
      let isOpen = true
      const record = recordSession()
      let hasEnded = () => {}
      const ended = new Promise<void>(resolve => {
        hasEnded = resolve
      })
      const commit = (done: Transaction) => {
        tables.commit(done)
        freeLocks(done)
        for (const channel of new Set(done.notices))
          for (const each of sessions.values()) if (each.listens) each.onNotice(channel)
      }
      const rollBack = (undone: Transaction) => {
        tables.rollBack(undone)
        freeLocks(undone)
      }
      /** Nothing follows from a statement whose connection has ended meanwhile. */
      const waitFor = async (until: Promise<void>) => {
        await Promise.race([until, ended])
        if (!isOpen) await new Promise(() => {})
      }
      const answer = async (sql: string, values: readonly unknown[]): Promise<Row[]> => {
        if (sql === 'BEGIN') transaction = tables.begin(now())
        else if (sql === 'COMMIT' || sql === 'ROLLBACK') {
          if (transaction) (sql === 'COMMIT' ? commit : rollBack)(transaction)
          transaction = undefined
        } else if (sql === sessionLock) {
          while (!takeLock(values, session, ended)) await waitFor(locks.get(values.join(' '))?.until ?? ended)
          return [{ pg_advisory_lock: '' }]
        } else if (sql === transactionLock) {
          return [{ got: transaction !== undefined && takeLock(values, transaction, transaction.ended) }]
        } else {
          const statement = statementOf(sql) as Statement
          const sent = sessions.get(session)
          if (sent && statement.name.startsWith('listen')) sent.listens = statement.name === 'listen'
          const began = now()
          for (;;) {
            const within = transaction ?? tables.begin(began)
            try {
              const rows = tables.within(within, view => statement.answer(view, values, sql))
              if (within !== transaction) commit(within)
              return rows
            } catch (error) {
              if (within !== transaction) rollBack(within)
              if (!(error instanceof Waits)) throw error
              await waitFor(error.until)
            }
          }
        }
        return []
      }
      const session: Session = {
        number: ++count,
        nameOf(sql) {
          if (own.includes(sql)) return sql.toLowerCase()
          if (sql === sessionLock || sql === transactionLock) return 'lock a worker'
          const statement = statementOf(sql)
          if (!statement) throw new Error(`the stand-in for PostgreSQL does not know: ${sql}`)
          return statement.name
        },
        async carryOut(sql, values) {
          record({
            ...{ is: 'sent', sql, values, start: startedAt().toISOString() },
            now: (transaction?.now ?? now()).toISOString(),
          })
          const rows = await answer(sql, values)
          record({ is: 'answered', rows })
          return rows
        },
        end() {
          if (!isOpen) return
          isOpen = false
          sessions.delete(session)
          if (transaction) rollBack(transaction)
          freeLocks(session)
          record({ is: 'ended' })
          hasEnded()
        },
      }
      const hear = (channel: string) => {
        record({ is: 'heard' })
        onNotice(channel)
      }
      record({ is: 'connected' })
      sessions.set(session, { listens: false, onNotice: hear, onEnd })
      return session
    },
  }
  return server
}
