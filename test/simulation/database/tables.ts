/** A row, which is replaced and never changed. */
export type Row = Readonly<Record<string, unknown>>

/** What a database has: its rows by table and key, and how far its sequences are. */
export interface Content {
  readonly rows: Map<string, Map<string, Row>>
  readonly sequences: Map<string, number>
}

/** Several statements that have an effect together, or none. */
export interface Transaction {
  /** What PostgreSQL's `now()` gives in it. */
  readonly now: Date
  /** What each row that it has changed was before. */
  readonly before: Map<string, Row | undefined>
  /** The channels that hear of it once it is committed. */
  readonly notices: string[]
  /** Resolves once it has ended. */
  readonly ended: Promise<void>
  readonly end: () => void
}

/** Thrown by a statement that has to wait for another transaction, after which it is carried out anew. */
export class Waits extends Error {
  readonly until: Promise<void>
  constructor(until: Promise<void>) {
    super('it waits for another transaction')
    this.until = until
  }
}

/** The rows as one transaction sees them. */
export interface View {
  readonly now: Date
  all(table: string): Row[]
  get(table: string, key: unknown): Row | undefined
  /** Puts a row in the place of the one with its key, or removes that one. Statements see it, once this one has ended. */
  put(table: string, key: unknown, row: Row | undefined): void
  /** Keeps others from changing a row until the transaction ends. */
  lock(table: string, key: unknown): void
  isLocked(table: string, key: unknown): boolean
  next(sequence: string): number
  notify(channel: string): void
}

export interface Tables {
  readonly content: Content
  begin(now: Date): Transaction
  /** Carries out a statement, all of it or nothing. Throws `Waits`. */
  within<T>(transaction: Transaction, statement: (view: View) => T): T
  commit(transaction: Transaction): void
  rollBack(transaction: Transaction): void
}

const idOf = (table: string, key: unknown): string => `${table} ${key}`

/** Rows with transactions as PostgreSQL has them at "read committed": each statement sees what has been committed, and its own. */
export function openTables(content: Content): Tables {
  const { rows, sequences } = content
  /** Which transaction has changed or locked a row. */
  const held = new Map<string, Transaction>()
  const open = new Set<Transaction>()
  const rowsOf = (table: string) => {
    const known = rows.get(table) ?? new Map<string, Row>()
    rows.set(table, known)
    return known
  }
  const set = (table: string, key: string, row: Row | undefined) => {
    if (row) rowsOf(table).set(key, row)
    else rowsOf(table).delete(key)
  }
  const close = (transaction: Transaction) => {
    for (const [id, holder] of held) if (holder === transaction) held.delete(id)
    open.delete(transaction)
    transaction.end()
  }
  return {
    content,
    begin(now) {
      let end = () => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      const transaction = { now, before: new Map(), notices: [], ended, end }
      open.add(transaction)
      return transaction
    },
    within(own, statement) {
      const changes: [table: string, key: string, row: Row | undefined][] = []
      const others = () => [...open].filter(each => each !== own)
      const seen = (table: string, key: string): Row | undefined => {
        const other = held.get(idOf(table, key))
        if (other === undefined || other === own || !other.before.has(idOf(table, key)))
          return rowsOf(table).get(key)
        return other.before.get(idOf(table, key))
      }
      const take = (id: string) => {
        const holder = held.get(id)
        if (holder !== undefined && holder !== own) throw new Waits(holder.ended)
        held.set(id, own)
      }
      const result = statement({
        now: own.now,
        get: (table, key) => seen(table, `${key}`),
        all(table) {
          const keys = new Set(rowsOf(table).keys())
          for (const { before } of others())
            for (const id of before.keys())
              if (id.startsWith(`${table} `)) keys.add(id.slice(table.length + 1))
          return [...keys].map(key => seen(table, key)).filter(row => row !== undefined)
        },
        put(table, key, row) {
          take(idOf(table, key))
          changes.push([table, `${key}`, row])
        },
        lock: (table, key) => take(idOf(table, key)),
        isLocked(table, key) {
          const holder = held.get(idOf(table, key))
          return holder !== undefined && holder !== own
        },
        next(sequence) {
          const number = (sequences.get(sequence) ?? 0) + 1
          sequences.set(sequence, number)
          return number
        },
        notify: channel => void own.notices.push(channel),
      })
      for (const [table, key, row] of changes) {
        const id = idOf(table, key)
        if (!own.before.has(id)) own.before.set(id, rowsOf(table).get(key))
        set(table, key, row)
      }
      return result
    },
    commit: close,
    rollBack(transaction) {
      for (const [id, row] of transaction.before) {
        const [table = '', key = ''] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)]
        set(table, key, row)
      }
      close(transaction)
    },
  }
}
