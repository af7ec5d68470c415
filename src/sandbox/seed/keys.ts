import { randomBytes } from 'node:crypto'
import type { Database } from '../../system/database.ts'
import { type ApiKeyRecord, hashOfKey } from '../store/api-keys.ts'
import { organisationId } from '../store/organisation.ts'
import { restrictedUser, seededUsers } from './users.ts'

export interface SeedKey {
  name: (typeof seededKeys)[number]['name']
  /** The key itself, which is only valid for this data folder. */
  key: string
  scopes: string[]
  status: string
}

interface SeededKey {
  readonly id: string
  readonly name: string
  /** Part of the key's text, so that one can see which key it is. */
  readonly prefix: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly status?: 'inactive'
  readonly expires?: string
}

const created = '2025-01-15T09:30:00.000Z'
const [owner, editor, viewer] = seededUsers
const everything = ['read', 'write', 'delete'] as const

/** The keys that a sandbox is made with, in the order in which they are shown. */
const seededKeys = [
  { id: 'key_full', name: 'full', prefix: 'full', userId: owner.id, scopes: everything },
  { id: 'key_read_only', name: 'read-only', prefix: 'read', userId: owner.id, scopes: ['read'] },
  {
    id: 'key_inactive',
    name: 'inactive',
    prefix: 'idle',
    userId: owner.id,
    scopes: everything,
    status: 'inactive',
  },
  {
    id: 'key_expired',
    name: 'expired',
    prefix: 'past',
    userId: owner.id,
    scopes: everything,
    expires: '2025-02-15T09:30:00.000Z',
  },
  { id: 'key_restricted', name: 'restricted', prefix: 'rstr', userId: restrictedUser.id, scopes: everything },
  { id: 'key_editor', name: 'editor', prefix: 'edit', userId: editor.id, scopes: everything },
  { id: 'key_viewer', name: 'viewer', prefix: 'view', userId: viewer.id, scopes: everything },
] as const satisfies readonly SeededKey[]

/** Adds the keys to an empty store. A store that is reset keeps the texts of its keys. */
export const seedKeys = (db: Database): void => seededKeys.forEach(key => void addKey(db, key))

/** The seeded keys in their current state; deleted ones are missing. */
export function keysOf(db: Database): SeedKey[] {
  const rows = db.all<{ id: string; doc: string; key: string }>(
    'SELECT id, doc, value AS key FROM api_keys JOIN settings ON name = ? || id',
    settingOf(''),
  )
  return seededKeys.flatMap(({ id, name }) => {
    const row = rows.find(each => each.id === id)
    if (row === undefined) return []
    const { scopes, status } = JSON.parse(row.doc) as ApiKeyRecord
    return [{ name, key: row.key, scopes, status: status ?? '' }]
  })
}

/** The seeded keys of version 1, whose text was the same in every sandbox. */
const fixedIds: readonly string[] = ['key_full', 'key_read_only', 'key_inactive']

/**
 * Gives the keys of a version 1 store new texts, and adds the keys and the user that it lacks. Changes to its keys are
 * kept: one that was deleted is not made again.
 */
export function replaceFixedKeys(db: Database): void {
  // A new store is seeded after its schema has been made.
  if (!db.get('SELECT 1 FROM users LIMIT 1')) return
  db.run(
    'INSERT INTO users (id, doc) VALUES (?, ?) ON CONFLICT DO NOTHING',
    restrictedUser.id,
    JSON.stringify(restrictedUser),
  )
  for (const key of seededKeys) {
    if (!fixedIds.includes(key.id)) {
      // Version 1 had an editor's key that was never shown.
      db.run('DELETE FROM api_keys WHERE id = ?', key.id)
      addKey(db, key)
      continue
    }
    const row = db.get<{ doc: string }>('SELECT doc FROM api_keys WHERE id = ?', key.id)
    if (!row) continue
    const shown = shownParts(keyTextOf(db, key))
    db.run(
      'UPDATE api_keys SET hash = ?, doc = ? WHERE id = ?',
      shown.keyHash,
      JSON.stringify({ ...(JSON.parse(row.doc) as ApiKeyRecord), ...shown }),
      key.id,
    )
  }
}

function addKey(db: Database, key: SeededKey): void {
  const { id, name, userId, scopes, expires = null, status = 'active' } = key
  const shown = shownParts(keyTextOf(db, key))
  const record: ApiKeyRecord = {
    id,
    name,
    organisationId,
    userId,
    keyId: id,
    ...shown,
    scopes: [...scopes],
    revoked: null,
    expires,
    created,
    lastUsed: null,
    createdByUserId: userId,
    status,
  }
  db.run(
    'INSERT INTO api_keys (id, hash, user_id, doc) VALUES (?, ?, ?, ?)',
    id,
    shown.keyHash,
    userId,
    JSON.stringify(record),
  )
}

/** What a key's record shows of its text. */
const shownParts = (text: string) => ({
  prefix: text.slice(0, 8),
  keyHash: hashOfKey(text),
  suffix: text.slice(-4),
})

/** The text of a key, random at first. The record has only its hash, so it is stored separately to be shown again. */
function keyTextOf(db: Database, { id, prefix }: Pick<SeededKey, 'id' | 'prefix'>): string {
  const known = storedKeyText(db, id)
  if (known !== undefined) return known
  const text = `sbx_${prefix}_${randomBytes(16).toString('hex')}`
  db.run('INSERT INTO settings VALUES (?, ?)', settingOf(id), text)
  return text
}

const storedKeyText = (db: Database, id: string): string | undefined =>
  db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', settingOf(id))?.value

const settingOf = (id: string): string => `text of ${id}`
