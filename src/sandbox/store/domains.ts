import type { Domain } from '../../service/contract/domains.ts'
import type { Checked } from '../../service/contract/endpoint.ts'
import type { Database } from '../../system/database.ts'

/** A domain as it is stored; which reader instances use it is known from them. */
export type DomainRecord = Omit<Checked<typeof Domain>, 'isInUse' | 'readerInstanceIds'> & {
  id: string
  domain: string
}

export const addDomain = (db: Database, record: DomainRecord): void =>
  void db.run(
    'INSERT INTO domains (id, domain, doc) VALUES (?, ?, ?)',
    record.id,
    record.domain,
    JSON.stringify(record),
  )
