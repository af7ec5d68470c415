import type { apikeys } from '../service/contract/apikeys.ts'
import type { Handlers, RequestContext } from './call.ts'
import { missing } from './service-error.ts'
import type { ApiKeyRecord } from './store/api-keys.ts'
import { deleteRecord, findRecord, recordsOf, saveRecord } from './store/records.ts'

export const apikeyHandlers: Handlers<typeof apikeys> = {
  list: (_, { db, caller }) => ({
    items: recordsOf<ApiKeyRecord>(db, 'api_keys').filter(({ userId }) => userId === caller.user.id),
  }),
  get: ({ id }, call) => ({ item: own(call, id) }),
  update: ({ id, name, scopes, status }, call) =>
    call.db.write(() => {
      const key = own(call, id)
      const item: ApiKeyRecord = {
        ...key,
        name: name ?? key.name,
        scopes: scopes ? [...new Set(scopes)] : key.scopes,
        status: status ?? key.status,
      }
      saveRecord(call.db, 'api_keys', item)
      return { item }
    }),
  delete: ({ id }, call) =>
    call.db.write(() => {
      const item = own(call, id)
      deleteRecord(call.db, 'api_keys', id)
      return { item }
    }),
}

/** The caller's own key; another user's is as missing as one that does not exist. */
function own({ db, caller }: RequestContext, id: string): ApiKeyRecord {
  const key = findRecord<ApiKeyRecord>(db, 'api_keys', id)
  if (key?.userId !== caller.user.id) throw missing(`API key ${id}`)
  return key
}
