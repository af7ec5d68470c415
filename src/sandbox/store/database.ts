import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase as open } from '../../system/database.ts'
import { guarded } from '../../system/guarded.ts'
import { type Store, withCache } from './cache.ts'
import { sandboxDataFailure, usePath } from './data-error.ts'
import { schemaWith } from './schema.ts'

export const databasePath = (dataDir: string): string => join(dataDir, 'sandbox.db')

/** What a store is filled with. */
export interface Seed {
  /** Fills a new store. */
  fill(db: Database): void
  /** Gives a store of version 1, whose keys were the same everywhere, keys of its own. */
  replaceFixedKeys(db: Database): void
}

/**
 * Opens the store in a data directory, which is made when missing and readable by its owner alone, and brings its
 * schema up to date; a new one is filled in the transaction that makes it. Throws UsageFailure `sandbox_data` when the
 * file cannot be used.
 */
export function openStore(dataDir: string, seed: Seed): Store {
  const path = databasePath(dataDir)
  const unusable = (reason: string, cause?: unknown) => sandboxDataFailure(path, reason, cause)
  const schema = schemaWith(seed.replaceFixedKeys)
  return withCache(guarded(open(path, { schema, seed: seed.fill, unusable }), unusable))
}

/** Whether a data directory holds a store. */
export const hasDatabase = (dataDir: string): boolean =>
  usePath(databasePath(dataDir), path => statSync(path, { throwIfNoEntry: false }) !== undefined)
