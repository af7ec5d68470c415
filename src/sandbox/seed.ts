import { randomBytes } from 'node:crypto'
import type { Database } from '../system/database.ts'
import { addAsset } from './assets.ts'
import type { ApiKeyRecord, UserRecord } from './authenticate.ts'
import { hashOfKey } from './authenticate.ts'
import { addDomain } from './domains.ts'
import { organisationId } from './organisation.ts'
import { addInstance } from './reader-instances.ts'
import { findRecord } from './records.ts'
import { tables } from './schema.ts'
import { seededReaderUsers } from './seed-reader-users.ts'
import { seededAssets, seededDomains, seededInstances } from './seed-readers.ts'
import { seededUsers } from './seed-users.ts'
import type { Store } from './store.ts'

export interface SandboxKey {
  name: 'full' | 'read-only' | 'inactive'
  /** The key itself; a sandbox's keys are no secrets. */
  key: string
  scopes: string[]
  status: string
}

const created = '2025-01-15T09:30:00.000Z'
const [owner, editor] = seededUsers

/** The keys that a sandbox is made with; only three are handed out, since the fourth is another user's. */
const seededKeys = [
  {
    id: 'key_full',
    name: 'full',
    key: 'sbx_full_7Yp2Qm9RkW4tZ8vXc3Nf6Hj5Ls1Bd0G',
    scopes: ['read', 'write', 'delete'],
  },
  {
    id: 'key_read_only',
    name: 'read-only',
    key: 'sbx_read_4Gk8Vt2Lq7Mz5Xw9Rb3Pc6Nd1Hf0JsQ',
    scopes: ['read'],
  },
  {
    id: 'key_inactive',
    name: 'inactive',
    key: 'sbx_idle_9Wd3Fj6Tn1Kc8Rv5Zq2Mx7Bg4Lp0HsQ',
    scopes: ['read', 'write', 'delete'],
  },
  {
    id: 'key_editor',
    name: 'editor',
    key: 'sbx_edit_2Hs7Cn4Xv9Jp6Kt1Wq8Rg3Zm5Db0LfQ',
    scopes: ['read', 'write'],
  },
] as const

/** Puts into an empty store what the API cannot create: the same each time, but for the secret, which stays. */
export function seed(db: Database): void {
  db.run(`INSERT INTO settings VALUES ('secret', ?) ON CONFLICT DO NOTHING`, randomBytes(32).toString('hex'))
  for (const user of seededUsers) {
    db.run('INSERT INTO users (id, doc) VALUES (?, ?)', user.id, JSON.stringify(user))
  }
  for (const key of seededKeys) addKey(db, key)
  for (const domain of seededDomains) addDomain(db, domain)
  for (const asset of seededAssets) addAsset(db, asset)
  for (const instance of seededInstances) addInstance(db, instance)
  for (const reader of seededReaderUsers) {
    db.run('INSERT INTO reader_users (id, doc) VALUES (?, ?)', reader.id, JSON.stringify(reader))
  }
}

/** Takes a store back to what it was made with. */
export const reseed = (db: Database): void =>
  db.write(() => {
    for (const table of tables) db.run(`DELETE FROM ${table}`)
    seed(db)
  })

function addKey(db: Database, { id, name, key, scopes }: (typeof seededKeys)[number]): void {
  const { id: userId }: UserRecord = name === 'editor' ? editor : owner
  const keyHash = hashOfKey(key)
  const record: ApiKeyRecord = {
    id,
    name,
    organisationId,
    userId,
    keyId: id,
    prefix: key.slice(0, 8),
    keyHash,
    suffix: key.slice(-4),
    scopes: [...scopes],
    revoked: null,
    expires: null,
    created,
    lastUsed: null,
    createdByUserId: userId,
    status: name === 'inactive' ? 'inactive' : 'active',
  }
  db.run(
    'INSERT INTO api_keys (id, hash, user_id, doc) VALUES (?, ?, ?, ?)',
    id,
    keyHash,
    userId,
    JSON.stringify(record),
  )
}

/** The keys that are handed out, as they stand now: one that was deleted is missing. */
export const keysOf = (db: Store): SandboxKey[] =>
  seededKeys.flatMap(({ id, name, key }) => {
    const record = name === 'editor' ? undefined : findRecord<ApiKeyRecord>(db, 'api_keys', id)
    if (name === 'editor' || !record) return []
    return [{ name, key, scopes: record.scopes, status: record.status ?? '' }]
  })
