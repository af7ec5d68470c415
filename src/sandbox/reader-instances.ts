import type { readerInstances } from '../service/contract/reader-instances.ts'
import type { Handlers } from './call.ts'
import { refused } from './service-error.ts'
import { addInstance, type InstanceRecord } from './store/reader-instances.ts'
import { deleteRecord, newId, pageOfRecords, recordOf } from './store/records.ts'

const defaultLimit = 10

export const readerInstanceHandlers: Handlers<typeof readerInstances> = {
  list: ({ limit = defaultLimit, nextToken }, call) => {
    const page = pageOfRecords<InstanceRecord>(call, 'reader_instances', limit, nextToken)
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
