import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UsageFailure } from '../errors.ts'
import type { Database } from '../system/database.ts'
import { reseed, seed } from './seed/index.ts'
import { keysOf, type SandboxKey } from './seed/keys.ts'
import { databasePath, hasDatabase, openDatabase } from './store/database.ts'
import { objectsFolder } from './store/objects.ts'

export interface SandboxStatus {
  dataDir: string
  exists: boolean
  publications: number
  editions: number
  /** Of all files that were sent. */
  bytes: number
  keys: SandboxKey[]
}

/**
 * Takes a sandbox back to what it was made with; makes it when it is missing, and makes it anew when its store cannot
 * be used. Processes that use it meanwhile find it empty and go on.
 */
export async function resetSandbox(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  // Listed first: what arrives from now on belongs to the new beginning.
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

/** Where a sandbox lives and what is in it. Makes nothing when there is none. */
export function sandboxStatus(dataDir: string): SandboxStatus {
  const folder = resolve(dataDir)
  if (!hasDatabase(folder)) {
    return { dataDir: folder, exists: false, publications: 0, editions: 0, bytes: 0, keys: [] }
  }
  const db = openDatabase(folder, seed)
  try {
    const number = (sql: string): number => db.get<{ n: number | null }>(sql)?.n ?? 0
    return {
      dataDir: folder,
      exists: true,
      publications: number(`SELECT n FROM counts WHERE name = 'publications'`),
      editions: number(`SELECT n FROM counts WHERE name = 'editions'`),
      bytes: number('SELECT sum(bytes) AS n FROM objects'),
      keys: keysOf(db),
    }
  } finally {
    db.close()
  }
}
