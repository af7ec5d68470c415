import type { Database } from '../../system/database.ts'

/** Runs a transaction that is on the disk when this returns, so that it survives a power cut. */
export function durably<T>(db: Database, work: () => T): T {
  db.get('PRAGMA synchronous = FULL')
  try {
    return db.write(work)
  } finally {
    db.get('PRAGMA synchronous = NORMAL')
  }
}
