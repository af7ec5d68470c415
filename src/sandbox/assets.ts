import type { assets } from '../service/contract/assets.ts'
import type { Database } from '../system/database.ts'
import type { Handlers } from './call.ts'
import { refused } from './service-error.ts'
import { type AssetRecord, addAsset } from './store/assets.ts'
import { contentTypeOf } from './store/content-types.ts'
import { addObject, deleteObjects, newObjectKey } from './store/objects.ts'
import { organisationId, scopeId } from './store/organisation.ts'
import { instancesWithFont } from './store/reader-instances.ts'
import { deleteRecord, newId, recordOf, recordsOf, saveRecord } from './store/records.ts'

export const assetHandlers: Handlers<typeof assets> = {
  list: (_, { db }) => ({ items: recordsOf<AssetRecord>(db, 'assets').map(asset => toAsset(db, asset)) }),
  create: (input, { db, objects, caller, now }) =>
    db.write(() => ({
      result: input.assets.map(({ type, filename }) => {
        const id = newId('ast')
        const key = newObjectKey('assets')
        const filetype = contentTypeOf(type, filename)
        addAsset(db, {
          id,
          createdBySub: caller.user.sub,
          scopeId,
          organisationId,
          type,
          filename,
          key,
          filetype,
          filesize: 0,
          status: 'pending',
          createdAtIso: now,
        })
        addObject(db, { key, kind: 'asset', owner: id })
        const { uploadUrl, expiresIn, requiredHeaders } = objects.uploadSession(key, filetype)
        return { id, uploadMode: 'single', type, filename, key, uploadUrl, expiresIn, requiredHeaders }
      }),
    })),
  rename: ({ id, filename }, { db }) =>
    db.write(() => {
      const renamed = { ...recordOf<AssetRecord>(db, 'assets', id), filename }
      saveRecord(db, 'assets', renamed)
      return { item: toAsset(db, renamed) }
    }),
  delete: ({ id }, { db, objects }) => {
    const { item, files } = db.write(() => {
      const asset = toAsset(db, recordOf(db, 'assets', id))
      const names = asset.usedByReaderInstances.map(({ name }) => name).join(', ')
      if (names !== '') throw refused(`The asset ${asset.filename} is in use by ${names}.`)
      deleteRecord(db, 'assets', id)
      return { item: asset, files: deleteObjects(db, id) }
    })
    objects.deleteFiles(files)
    return { item }
  },
}

const toAsset = (db: Database, record: AssetRecord) => ({
  ...record,
  usedByReaderInstances: instancesWithFont(db, record.id),
})
