import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import Libsql from 'libsql'
import { databasePath } from '../../../src/sandbox/store/database.ts'
import { schemaWith } from '../../../src/sandbox/store/schema.ts'

/** The keys of version 1, which were the same in every sandbox. */
export const fixedKeys = {
  key_full: 'sbx_full_7Yp2Qm9RkW4tZ8vXc3Nf6Hj5Ls1Bd0G',
  key_read_only: 'sbx_read_4Gk8Vt2Lq7Mz5Xw9Rb3Pc6Nd1Hf0JsQ',
  key_inactive: 'sbx_idle_9Wd3Fj6Tn1Kc8Rv5Zq2Mx7Bg4Lp0HsQ',
  key_editor: 'sbx_edit_2Hs7Cn4Xv9Jp6Kt1Wq8Rg3Zm5Db0LfQ',
}

/** Makes a data folder as version 1 left it: its fixed keys but for those in `without`, its users, and one domain. */
export function makeOldSandbox(dataDir: string, without: readonly string[] = []): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = new Libsql(databasePath(dataDir))
  db.exec(schemaWith(() => {})[0] as string)
  const insert = (table: string, row: Record<string, string>) =>
    db
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map(() => '?')})`,
      )
      .run(Object.values(row))
  insert('settings', { name: 'secret', value: '00'.repeat(32) })
  for (const [id, role] of [
    ['user_ada', 'Admin'],
    ['user_emil', 'Editor'],
    ['user_vera', 'Viewer'],
  ] as const) {
    const doc = {
      id,
      sub: `sub${id.slice(4)}`,
      email: `${id}@publisher.example`,
      role,
      status: 'Active',
      billing: null,
    }
    insert('users', { id, doc: JSON.stringify(doc) })
  }
  for (const [id, key] of Object.entries(fixedKeys)) {
    if (without.includes(id)) continue
    const hash = createHash('sha256').update(key).digest('hex')
    const userId = id === 'key_editor' ? 'user_emil' : 'user_ada'
    const doc = {
      id,
      name: `my ${id}`,
      userId,
      keyId: id,
      prefix: key.slice(0, 8),
      keyHash: hash,
      suffix: key.slice(-4),
      scopes: id === 'key_read_only' ? ['read'] : ['read', 'write', 'delete'],
      revoked: null,
      expires: null,
      status: id === 'key_inactive' ? 'inactive' : 'active',
    }
    insert('api_keys', { id, hash, user_id: userId, doc: JSON.stringify(doc) })
  }
  const domain = { id: 'dom_old', domain: 'old.example', createdAtIso: '2025-02-01T00:00:00.000Z' }
  insert('domains', { id: domain.id, domain: domain.domain, doc: JSON.stringify(domain) })
  db.exec('PRAGMA user_version = 1')
  db.close()
}
