import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase as open } from '../../system/database.ts'
import { remembering, type Store } from './cache.ts'
import { reach, unusable } from './data-error.ts'
import { schema } from './schema.ts'

export const databasePath = (dataDir: string): string => join(dataDir, 'sandbox.db')

/**
 * Opens the store in a data directory, which is made when missing and readable by its owner alone, and brings its
 * schema up to date. `seed` fills a new one, in the transaction that makes it. Throws UsageFailure `sandbox_data`
 * when the file cannot be used.
 */
export const openDatabase = (dataDir: string, seed: (db: Database) => void): Store =>
  remembering(
    open(databasePath(dataDir), {
      schema,
      seed,
      unusable: (trouble, cause) => unusable(databasePath(dataDir), trouble, cause),
    }),
  )

/** Whether a data directory holds a store. */
export const hasDatabase = (dataDir: string): boolean =>
  reach(databasePath(dataDir), path => statSync(path, { throwIfNoEntry: false }) !== undefined)
