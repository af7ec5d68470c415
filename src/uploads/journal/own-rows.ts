import type { Database, SqlValue } from '../../system/database.ts'
import type { Caller } from './caller.ts'
import type { EntryRow } from './entry.ts'
import type { Seal } from './seal.ts'

/** How many uploads with a key are looked at to learn its scope, which each of them has. */
const mostForScope = 10

/** What the rows of a journal are read with. */
export interface SealedDatabase {
  readonly db: Pick<Database, 'get' | 'all'>
  readonly seal: Seal
}

/** The rows of uploads that a query finds, without those that are not this user's own. */
export const rowsIn = ({ db, seal }: SealedDatabase, sql: string, ...values: SqlValue[]): EntryRow[] =>
  db.all<EntryRow>(sql, ...values).filter(row => seal.fits('uploads', row))

/**
 * The scope of a key, if an earlier upload with it learned it: uploads with the same key have the same scope. The order is
 * that of an index, so that no more than these uploads are read.
 */
export const scopeOfKey = (
  sealed: SealedDatabase,
  { target, keyDigest }: Pick<Caller, 'target' | 'keyDigest'>,
): string | null =>
  rowsIn(
    sealed,
    `SELECT * FROM uploads WHERE target = ? AND keyDigest = ? AND scopeId IS NOT NULL
     ORDER BY scopeId DESC, number DESC LIMIT ${mostForScope}`,
    target,
    keyDigest,
  )[0]?.scopeId ?? null
