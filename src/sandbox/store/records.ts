import { randomBytes } from 'node:crypto'
import type { Database } from '../../system/database.ts'
import { missing } from '../service-error.ts'
import type { Store } from './cache.ts'
import type { Tokens } from './tokens.ts'

/** The tables whose records are no more than a document with an id. */
type Table =
  | 'users'
  | 'api_keys'
  | 'metadata_keys'
  | 'domains'
  | 'reader_instances'
  | 'reader_users'
  | 'assets'

interface Row {
  doc: string
}

/** An identifier that was never given before: `dom_5f3a…`. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(10).toString('hex')}`

export const recordsOf = <T>(db: Store, table: Table): readonly T[] =>
  db.cached(`records ${table}`, () =>
    db.all<Row>(`SELECT doc FROM ${table} ORDER BY seq`).map(({ doc }) => JSON.parse(doc) as T),
  )

export const findRecord = <T>(db: Store, table: Table, id: string): T | undefined =>
  db.cached(`record ${table} ${id}`, () => {
    const row = db.get<Row>(`SELECT doc FROM ${table} WHERE id = ?`, id)
    return row && (JSON.parse(row.doc) as T)
  })

const nouns: Record<Table, string> = {
  users: 'user',
  api_keys: 'API key',
  metadata_keys: 'metadata key',
  domains: 'permitted domain',
  reader_instances: 'reader instance',
  reader_users: 'reader user',
  assets: 'asset',
}

/** The record with this id; throws 404. */
export function recordOf<T>(db: Store, table: Table, id: string): T {
  const record = findRecord<T>(db, table, id)
  if (!record) throw missing(`${nouns[table]} ${id}`)
  return record
}

export const saveRecord = <T extends { id: string }>(db: Database, table: Table, record: T): void =>
  void db.run(`UPDATE ${table} SET doc = ? WHERE id = ?`, JSON.stringify(record), record.id)

export const deleteRecord = (db: Database, table: Table, id: string): void =>
  void db.run(`DELETE FROM ${table} WHERE id = ?`, id)

/**
 * One page of a table, in the order in which its records were made. `listing` names it in the tokens, which are of no
 * use for another.
 */
export function pageOfRecords<T>(
  { db, tokens }: { db: Database; tokens: Tokens },
  table: Table,
  limit: number,
  nextToken: string | undefined,
): { items: T[]; nextToken: string | null } {
  const after = nextToken === undefined ? 0 : Number(tokens.read(table, nextToken))
  const rows = db.all<Row & { seq: number }>(
    `SELECT seq, doc FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
    after,
    limit + 1,
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(({ doc }) => JSON.parse(doc) as T),
    nextToken: last ? tokens.make(table, String(last.seq)) : null,
  }
}
