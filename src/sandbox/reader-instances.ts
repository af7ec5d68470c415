import type { Checked } from '../contract/endpoint.ts'
import type { ReaderInstance, readerInstances } from '../contract/reader-instances.ts'
import type { Database } from '../system/database.ts'
import type { Handlers } from './handlers.ts'
import { refused } from './service-error.ts'
import type { Store } from './store/cache.ts'
import { deleteRecord, newId, pageOf, recordOf } from './store/records.ts'

export type InstanceRecord = Checked<typeof ReaderInstance> & { id: string }

const defaultLimit = 10

export const readerInstanceHandlers: Handlers<typeof readerInstances> = {
  list: ({ limit = defaultLimit, nextToken }, call) => {
    const page = pageOf<InstanceRecord>(call, 'reader_instances', limit, nextToken)
    return { ...page, items: page.items.map(summaryOf) }
  },
  get: ({ id }, { db }) => ({ item: recordOf<InstanceRecord>(db, 'reader_instances', id) }),
  delete: ({ id }, { db }) =>
    db.write(() => {
      const item = recordOf<InstanceRecord>(db, 'reader_instances', id)
      if (item.isDefault) throw refused('The default reader instance cannot be deleted.')
      deleteRecord(db, 'reader_instances', id)
      return { item }
    }),
  copy: ({ id }, { db, caller, now }) =>
    db.write(() => {
      const original = recordOf<InstanceRecord>(db, 'reader_instances', id)
      const item: InstanceRecord = {
        ...original,
        id: newId('ri'),
        name: `Copy of ${original.name}`,
        isDefault: false,
        createdBySub: caller.user.sub,
        createdAtIso: now,
        updatedAtIso: now,
      }
      addInstance(db, item)
      return { item }
    }),
}

export const addInstance = (db: Database, record: InstanceRecord): void =>
  void db.run('INSERT INTO reader_instances (id, doc) VALUES (?, ?)', record.id, JSON.stringify(record))

/** The identifiers of the reader instances that may be embedded on a domain. */
export const instancesOn = (db: Store, domain: string): string[] =>
  db.recall(`instances on ${domain}`, () =>
    db
      .all<{ id: string }>(
        `SELECT i.id FROM reader_instances i, json_each(i.doc, '$.permittedDomains') d
         WHERE d.value = ? ORDER BY i.seq`,
        domain,
      )
      .map(({ id }) => id),
  )

/** The reader instances that show text in the font of an asset. */
export const instancesWithFont = (db: Database, assetId: string): { id: string; name: string }[] =>
  db
    .all<{ id: string; name: string }>(
      `SELECT DISTINCT i.id, i.doc ->> '$.name' AS name
       FROM reader_instances i, json_each(i.doc, '$.configuration.public.fonts') f
       WHERE f.value ->> '$.assetId' = ? ORDER BY i.seq`,
      assetId,
    )
    .map(({ id, name }) => ({ id, name }))

function summaryOf(instance: InstanceRecord) {
  const { id, name, description, screenshot, isSampleOnly, isDefault, securityLevel } = instance
  const { createdAtIso, updatedAtIso, screenshotUpdatedAtIso } = instance
  return {
    id,
    name,
    description,
    screenshot,
    isSampleOnly,
    isDefault,
    securityLevel,
    createdAtIso,
    updatedAtIso,
    screenshotUpdatedAtIso,
  }
}
