import { randomBytes } from 'node:crypto'
import type { Database } from '../../system/database.ts'
import { addAsset } from '../store/assets.ts'
import type { Seed } from '../store/database.ts'
import { addDomain } from '../store/domains.ts'
import { addInstance } from '../store/reader-instances.ts'
import { tables } from '../store/schema.ts'
import { replaceFixedKeys, seedKeys } from './keys.ts'
import { seededAssets, seededDomains, seededInstances } from './reader-instances.ts'
import { seededReaderUsers } from './reader-users.ts'
import { seededUsers } from './users.ts'

/**
 * Adds to an empty store what the API cannot create: the same each time, but for the secret and the keys, which are
 * random and are kept when the store is reset.
 */
function fill(db: Database): void {
  db.run(`INSERT INTO settings VALUES ('secret', ?) ON CONFLICT DO NOTHING`, randomBytes(32).toString('hex'))
  for (const user of seededUsers) {
    db.run('INSERT INTO users (id, doc) VALUES (?, ?)', user.id, JSON.stringify(user))
  }
  seedKeys(db)
  for (const domain of seededDomains) addDomain(db, domain)
  for (const asset of seededAssets) addAsset(db, asset)
  for (const instance of seededInstances) addInstance(db, instance)
  for (const reader of seededReaderUsers) {
    db.run('INSERT INTO reader_users (id, doc) VALUES (?, ?)', reader.id, JSON.stringify(reader))
  }
}

export const seed: Seed = { fill, replaceFixedKeys }

/** Resets a store to what it was made with. */
export const reseed = (db: Database): void =>
  db.write(() => {
    for (const table of tables) db.run(`DELETE FROM ${table}`)
    fill(db)
  })
