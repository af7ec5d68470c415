import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '../system/database.ts'
import { UsageFailure } from '../system/errors.ts'
import { reseed, seed } from './seed/index.ts'
import { databasePath, openStore } from './store/database.ts'
import { objectsFolder } from './store/objects.ts'

/**
 * Resets a sandbox to its initial content. Creates it if it is missing, and replaces it if its store cannot be used.
 * Processes that use it continue with the reset one.
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
    return openStore(folder, seed)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code === 'unsafe_permissions') throw error
    for (const part of ['', '-wal', '-shm']) {
      await rm(databasePath(folder) + part, { force: true }).catch(() => {
        // If it cannot be written, it cannot be replaced either.
        throw error
      })
    }
    return openStore(folder, seed)
  }
}
