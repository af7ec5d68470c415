import type { Database, SqlValue } from '../../system/database.ts'

/** The database of a sandbox, with a cache of what was read from it. */
export interface Store extends Database {
  /** Does work that writes nothing, with the cache. Any process that writes makes the cache empty. */
  read<T>(work: () => T): T
  /** The value of a key, found once. The key says all that the value depends on; the value is shared and not changed. */
  cached<T>(key: string, find: () => T): T
}

/** The most characters in the cache. */
const capacity = 2 ** 21

/** Clients repeat their requests, and a query locks the file, which takes longer than all else in an answer. */
export function withCache(db: Database): Store {
  const cache = new Map<string, unknown>()
  let size = 0
  let version: number | undefined
  let isCurrent = false
  let isReading = false

  function clear(): void {
    cache.clear()
    size = 0
  }

  /**
   * Clears the cache when another process has written. Requests that are answered in one turn of the event loop had
   * arrived when it began, so that their clients cannot know of a later write: one check a turn is enough.
   */
  function checkVersion(): void {
    if (isCurrent) return
    const found = db.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (found !== version) clear()
    version = found
    isCurrent = true
    setImmediate(() => {
      isCurrent = false
    })
  }

  function cached<T>(key: string, find: () => T): T {
    if (!isReading) return find()
    if (cache.has(key)) return cache.get(key) as T
    // The rows that the value is made of need not be cached as well.
    isReading = false
    const found = find()
    isReading = true
    size += key.length + sizeOf(found)
    if (size > capacity) clear()
    cache.set(key, found)
    return found
  }

  return {
    read(work) {
      checkVersion()
      isReading = true
      try {
        return work()
      } finally {
        isReading = false
      }
    },
    cached,
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      cached(`get ${sql} ${JSON.stringify(values)}`, () => db.get<Row>(sql, ...values)),
    all: <Row>(sql: string, ...values: SqlValue[]) =>
      cached(`all ${sql} ${JSON.stringify(values)}`, () => db.all<Row>(sql, ...values)),
    run(sql, ...values) {
      clear()
      return db.run(sql, ...values)
    },
    write(work) {
      const wasReading = isReading
      // A transaction decides by what the file holds.
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
