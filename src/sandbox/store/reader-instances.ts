import type { Checked } from '../../service/contract/endpoint.ts'
import type { ReaderInstance } from '../../service/contract/reader-instances.ts'
import type { Database } from '../../system/database.ts'
import type { Store } from './cache.ts'

export type InstanceRecord = Checked<typeof ReaderInstance> & { id: string }

export const addInstance = (db: Database, record: InstanceRecord): void =>
  void db.run('INSERT INTO reader_instances (id, doc) VALUES (?, ?)', record.id, JSON.stringify(record))

/** The identifiers of the reader instances that may be embedded on a domain. */
export const instancesOn = (db: Store, domain: string): string[] =>
  db.cached(`instances on ${domain}`, () =>
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
