import type { Database } from '../../system/database.ts'
import { insertMany } from '../../system/insert-many.ts'

/** What is added for a product, in the order of the columns below. */
type Values = readonly [
  identity: string | null,
  key: string | null,
  record: string | null,
  sentAt: number | null,
  product: string,
  isMap: 1 | null,
]

/** So many rows wait at most. */
const mostWaiting = 100

/** A database to which many rows are added at a time: those that still wait before it is asked for anything. */
interface AddedTo extends Pick<Database, 'get' | 'all' | 'run' | 'close'> {
  addRow(values: Values): void
}

export function withAddedRows(db: Database): AddedTo {
  const waiting: Values[] = []
  const addWaiting = () =>
    insertMany(db, 'INSERT INTO rows (identity, key, record, sentAt, product, isMap)', waiting.splice(0))
  const afterwards =
    <A extends unknown[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      if (waiting.length > 0) addWaiting()
      return ask(...args)
    }
  return {
    addRow(values) {
      waiting.push(values)
      if (waiting.length >= mostWaiting) addWaiting()
    },
    get: afterwards(db.get) as typeof db.get,
    all: afterwards(db.all) as typeof db.all,
    run: afterwards(db.run),
    close: db.close,
  }
}
