import type { Asset } from '../../service/contract/assets.ts'
import type { Checked } from '../../service/contract/endpoint.ts'
import type { Database } from '../../system/database.ts'

/** An asset as it is stored; which reader instances use it is known from them. */
export type AssetRecord = Omit<Checked<typeof Asset>, 'usedByReaderInstances'> & { id: string; key: string }

export const addAsset = (db: Database, record: AssetRecord): void =>
  void db.run('INSERT INTO assets (id, doc) VALUES (?, ?)', record.id, JSON.stringify(record))
