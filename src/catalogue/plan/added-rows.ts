import type { Database } from '../../system/database.ts'

/** So many rows are added by one statement, which takes half as long for each of them as one of its own. */
const atOnce = 100

/** What is added for a product, in the order of the columns below. */
type Values = readonly [
  identity: string | null,
  key: string | null,
  record: string | null,
  sentAt: number | null,
  product: string,
  isMap: 1 | null,
]

/** The same database, which adds many rows at a time: those that still wait before it is asked for anything. */
export function withAddedRows(db: Database): Database & { addRow(values: Values): void } {
  const waiting: Values[] = []
  const addWaiting = () => {
    if (waiting.length === 0) return
    const values = waiting.splice(0)
    db.run(insertOf(values.length), ...values.flat())
  }
  const afterwards =
    <A extends unknown[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      addWaiting()
      return ask(...args)
    }
  return {
    ...db,
    addRow(values) {
      waiting.push(values)
      if (waiting.length >= atOnce) addWaiting()
    },
    get: afterwards(db.get) as typeof db.get,
    all: afterwards(db.all) as typeof db.all,
    run: afterwards(db.run),
  }
}

const insertOf = (count: number): string =>
  `INSERT INTO rows (identity, key, record, sentAt, product, isMap)
   VALUES ${Array(count).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`
