import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UsageFailure } from '../errors.ts'
import type { Database } from '../system/database.ts'
import { reseed, seed } from './seed/index.ts'
import { databasePath, openDatabase } from './store/database.ts'
import { objectsFolder } from './store/objects.ts'

/**
 * Resets a sandbox to what it was made with; makes it when it is missing, and replaces it when its store cannot be used.
 * Processes that use it meanwhile go on with the empty one.
 */
export async function resetSandbox(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  // Listed first: files that arrive from now on belong to the reset sandbox.
  const files = await readdir(objectsFolder(folder)).catch(() => [])
  const db = await openOrReplace(folder)
  try {
    reseed(db)
  } finally {
    db.close()
  }
  for (const file of files) await rm(join(objectsFolder(folder), file), { force: true })
}

async function openOrReplace(folder: string): Promise<Database> {
  try {
    return openDatabase(folder, seed)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code === 'unsafe_permissions') throw error
    for (const part of ['', '-wal', '-shm']) {
      await rm(databasePath(folder) + part, { force: true }).catch(() => {
        // What keeps it from being written keeps it from being replaced.
        throw error
      })
    }
    return openDatabase(folder, seed)
  }
}
