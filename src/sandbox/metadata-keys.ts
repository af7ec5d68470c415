import type { Checked } from '../service/contract/endpoint.ts'
import type { MetadataKey, metadataKeys } from '../service/contract/metadata-keys.ts'
import type { Database } from '../system/database.ts'
import type { Handlers } from './call.ts'
import { refused } from './service-error.ts'
import { scopeId } from './store/organisation.ts'
import { deleteRecord, newId, recordOf, recordsOf, saveRecord } from './store/records.ts'

/** A key as it is stored; whether it is in use is known from the editions. */
type KeyRecord = Omit<Checked<typeof MetadataKey>, 'isInUse'> & { id: string; key: string }

export const metadataKeyHandlers: Handlers<typeof metadataKeys> = {
  list: (_, { db }) => ({
    items: recordsOf<KeyRecord>(db, 'metadata_keys').map(key => toMetadataKey(db, key)),
  }),
  create: ({ key, label }, { db, now }) =>
    db.write(() => {
      if (db.get('SELECT 1 FROM metadata_keys WHERE key = ?', key)) {
        throw refused(`There is a metadata key named ${key} already.`, [
          { message: 'In use already', path: ['key'], code: 'custom' },
        ])
      }
      const record: KeyRecord = {
        id: newId('mdk'),
        scopeId,
        key,
        ...(label !== undefined && { label }),
        origin: 'custom',
        mutability: 'editable',
        status: 'active',
        createdAtIso: now,
        updatedAtIso: now,
      }
      db.run(
        'INSERT INTO metadata_keys (id, key, doc) VALUES (?, ?, ?)',
        record.id,
        key,
        JSON.stringify(record),
      )
      return { item: toMetadataKey(db, record) }
    }),
  update: ({ id, status }, { db, now, caller }) =>
    db.write(() => {
      const record = recordOf<KeyRecord>(db, 'metadata_keys', id)
      if (record.status === status) return { item: toMetadataKey(db, record) }
      const { archivedAtIso, archivedBySub, ...rest } = record
      const updated: KeyRecord = {
        ...rest,
        status,
        updatedAtIso: now,
        ...(status === 'archived' && { archivedAtIso: now, archivedBySub: caller.user.sub }),
      }
      saveRecord(db, 'metadata_keys', updated)
      return { item: toMetadataKey(db, updated) }
    }),
  delete: ({ id }, { db }) =>
    db.write(() => {
      const item = toMetadataKey(db, recordOf(db, 'metadata_keys', id))
      if (item.status !== 'archived') {
        throw refused('Only archived custom fields can be deleted. Archive the metadata key first.')
      }
      if (item.isInUse) throw refused(`The metadata key ${item.key} is in use by an edition.`)
      deleteRecord(db, 'metadata_keys', id)
      return { item }
    }),
}

const toMetadataKey = (db: Database, record: KeyRecord) => ({
  ...record,
  isInUse: db.get('SELECT 1 FROM used_metadata WHERE key = ? LIMIT 1', record.key) !== undefined,
})
