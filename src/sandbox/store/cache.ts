import type { Database, Value } from '../../system/database.ts'

/** The database of a sandbox, which remembers what was found in it. */
export interface Store extends Database {
  /** Does work that writes nothing. What such work found before comes from memory, until any process has written. */
  read<T>(work: () => T): T
  /** What is found under a key, which says all that it depends on; not to be changed, since others get it too. */
  recall<T>(key: string, find: () => T): T
}

/** How many characters are remembered at most. */
const capacity = 2 ** 21

/** Who asks for a thing soon asks for it again, and a query locks the file, which takes longer than all else in an answer. */
export function remembering(db: Database): Store {
  const memory = new Map<string, unknown>()
  let size = 0
  let version: number | undefined
  let isCurrent = false
  let isReading = false

  function forget(): void {
    memory.clear()
    size = 0
  }

  /**
   * Forgets everything when another process has written. What one turn of the event loop serves had come when the turn
   * began, so that nobody can have learnt meanwhile of what is written from then on: one look is enough for all of it.
   */
  function look(): void {
    if (isCurrent) return
    const found = db.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (found !== version) forget()
    version = found
    isCurrent = true
    setImmediate(() => {
      isCurrent = false
    })
  }

  function recall<T>(key: string, find: () => T): T {
    if (!isReading) return find()
    if (memory.has(key)) return memory.get(key) as T
    // What it is made of need not be remembered as well.
    isReading = false
    const found = find()
    isReading = true
    size += key.length + sizeOf(found)
    if (size > capacity) forget()
    memory.set(key, found)
    return found
  }

  return {
    read(work) {
      look()
      isReading = true
      try {
        return work()
      } finally {
        isReading = false
      }
    },
    recall,
    get: <Row>(sql: string, ...values: Value[]) =>
      recall(`get ${sql} ${JSON.stringify(values)}`, () => db.get<Row>(sql, ...values)),
    all: <Row>(sql: string, ...values: Value[]) =>
      recall(`all ${sql} ${JSON.stringify(values)}`, () => db.all<Row>(sql, ...values)),
    run(sql, ...values) {
      forget()
      return db.run(sql, ...values)
    },
    write(work) {
      const wasReading = isReading
      // What is decided in a transaction is decided by what the file holds.
      isReading = false
      try {
        return db.write(work)
      } finally {
        isReading = wasReading
      }
    },
    briefly: db.briefly,
    close: db.close,
  }
}

/** About how many characters a value has. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  return Object.values(value).reduce((sum, each) => sum + sizeOf(each), 4)
}
