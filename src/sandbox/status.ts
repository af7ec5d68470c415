import { resolve } from 'node:path'
import { seed } from './seed/index.ts'
import { keysOf, type SeedKey } from './seed/keys.ts'
import { hasDatabase, openStore } from './store/database.ts'

export interface SandboxStatus {
  dataDir: string
  exists: boolean
  publications: number
  editions: number
  /** Of all files that were sent. */
  bytes: number
  keys: SeedKey[]
}

/** Where a sandbox is and what is in it. Does not make one when there is none. */
export function sandboxStatus(dataDir: string): SandboxStatus {
  const folder = resolve(dataDir)
  if (!hasDatabase(folder)) {
    return { dataDir: folder, exists: false, publications: 0, editions: 0, bytes: 0, keys: [] }
  }
  const db = openStore(folder, seed)
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
