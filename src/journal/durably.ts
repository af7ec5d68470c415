import type { Database } from '../system/database.ts'

/** Does its work as one transaction that is on the disk when this returns, so that even a power cut does not undo it. */
export function durably<T>(db: Database, work: () => T): T {
  db.get('PRAGMA synchronous = FULL')
  try {
    return db.write(work)
  } finally {
    db.get('PRAGMA synchronous = NORMAL')
  }
}
