import { domainToASCII } from 'node:url'
import type { domains } from '../service/contract/domains.ts'
import type { Handlers } from './call.ts'
import { invalid, refused } from './service-error.ts'
import type { Store } from './store/cache.ts'
import { addDomain, type DomainRecord } from './store/domains.ts'
import { instancesOn } from './store/reader-instances.ts'
import { deleteRecord, newId, recordOf, recordsOf, saveRecord } from './store/records.ts'

export const domainHandlers: Handlers<typeof domains> = {
  list: (_, { db }) => ({
    items: recordsOf<DomainRecord>(db, 'domains').map(domain => toDomain(db, domain)),
  }),
  get: ({ id }, { db }) => ({ item: toDomain(db, recordOf(db, 'domains', id)) }),
  create: (input, { db, now }) =>
    db.write(() => {
      const domain = hostName(input.domain)
      if (db.get('SELECT 1 FROM domains WHERE domain = ?', domain)) {
        throw refused(`The domain ${domain} is permitted already.`, [
          { message: 'Permitted already', path: ['domain'], code: 'custom' },
        ])
      }
      const { description = '' } = input
      const record = { id: newId('dom'), domain, description, createdAtIso: now, updatedAtIso: now }
      addDomain(db, record)
      return { item: toDomain(db, record) }
    }),
  update: ({ id, description }, { db, now }) =>
    db.write(() => {
      const record = recordOf<DomainRecord>(db, 'domains', id)
      if (description === undefined) return { item: toDomain(db, record) }
      const updated = { ...record, description, updatedAtIso: now }
      saveRecord(db, 'domains', updated)
      return { item: toDomain(db, updated) }
    }),
  delete: ({ id }, { db }) =>
    db.write(() => {
      const item = toDomain(db, recordOf(db, 'domains', id))
      if (item.isInUse) {
        throw refused(`The domain ${item.domain} is in use by ${item.readerInstanceIds.join(', ')}.`)
      }
      deleteRecord(db, 'domains', id)
      return { item }
    }),
}

function toDomain(db: Store, record: DomainRecord) {
  const readerInstanceIds = instancesOn(db, record.domain)
  return { ...record, isInUse: readerInstanceIds.length > 0, readerInstanceIds }
}

/** A host name in its canonical form: lower case, other scripts in Punycode. Throws 400 ZOD_ERROR for anything else. */
function hostName(text: string): string {
  const name = /[\s/?#@:%\\[\]]/.test(text) ? '' : domainToASCII(text).toLowerCase()
  const isName =
    name.length <= 253 && /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(name) && !/(^|\.)-|-(\.|$)/.test(name)
  if (isName) return name
  const message = 'Invalid host name: expected one such as reader.example.org, without scheme, port or path'
  throw invalid([{ message, path: ['domain'], code: 'invalid_format' }])
}
