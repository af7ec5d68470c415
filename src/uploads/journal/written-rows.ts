import { type Database, keptText, type SqlValue } from '../../system/database.ts'
import type { Claims } from './claims.ts'
import type { EntryRow } from './entry.ts'
import { rowsIn } from './own-rows.ts'
import { type Seal, sealedColumns } from './seal.ts'

/** What is given of a row; it gets its number and its seal when it is written. */
type NewRow = Omit<EntryRow, 'number' | 'mac'>

/** The rows of uploads as this process writes them, each with its seal in one statement. Called in transactions. */
export interface WrittenRows {
  add(row: NewRow): EntryRow
  /** Changes the row of an upload that this process has claimed; undefined if it is not there, not its user's own, or not claimed. */
  change(uploadRequestId: string, change: Partial<NewRow>): EntryRow | undefined
  /** The row of an upload as this process wrote it last, if it did. */
  latest(uploadRequestId: string): EntryRow | undefined
  /** Forgets what this process wrote of an upload, when it is done with it. */
  drop(uploadRequestId: string): void
}

export function openWrittenRows(db: Database, seal: Seal, claims: Pick<Claims, 'owner'>): WrittenRows {
  /** A row that still has the seal with which it was written here is as it was, and need not be read to be changed. */
  const written = new Map<string, EntryRow>()
  const update = (row: EntryRow, change: Partial<NewRow>): EntryRow | undefined => {
    const changed = { ...row, ...kept(change) }
    changed.mac = seal.macOf('uploads', changed)
    const names = (Object.keys(change) as (keyof NewRow)[]).filter(name => changed[name] !== row[name])
    // A change within a millisecond may leave all as it is; the seal is always written, so that there is something to set.
    const columns = [...names, 'mac'] as const
    const count = db.run(
      `UPDATE uploads SET ${columns.map((name, index) => `${name} = ?${index + 4}`).join(', ')}
       WHERE uploadRequestId = ?1 AND mac = ?2
         AND EXISTS (SELECT * FROM claims WHERE uploadRequestId = ?1 AND owner = ?3)`,
      ...[row.uploadRequestId, row.mac, claims.owner],
      ...columns.map(name => changed[name]),
    )
    return count > 0 ? changed : undefined
  }
  return {
    add(row) {
      const columns = { ...kept(columnsOf(row)), mac: null as string | null }
      columns.mac = seal.macOf('uploads', columns)
      const names = Object.keys(columns)
      db.run(
        `INSERT INTO uploads (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...(Object.values(columns) as SqlValue[]),
      )
      const added = { number: 0, ...columns }
      written.set(added.uploadRequestId, added)
      return added
    },
    change(uploadRequestId, change) {
      const before = written.get(uploadRequestId)
      let changed = before && update(before, change)
      if (!changed) {
        const [found] = rowsIn(
          { db, seal },
          'SELECT * FROM uploads WHERE uploadRequestId = ?',
          uploadRequestId,
        )
        changed = found && update(found, change)
      }
      if (changed) written.set(uploadRequestId, changed)
      else written.delete(uploadRequestId)
      return changed
    },
    latest: uploadRequestId => written.get(uploadRequestId),
    drop: uploadRequestId => void written.delete(uploadRequestId),
  }
}

/** What is stored of a row, which may have more. */
const columnsOf = (row: NewRow): NewRow =>
  Object.fromEntries(sealedColumns.uploads.map(name => [name, row[name] ?? null])) as unknown as NewRow

/** The same values as they are kept. */
function kept<T extends Partial<NewRow>>(values: T): { -readonly [K in keyof T]: T[K] } {
  const all = { ...values } as Record<string, unknown>
  for (const name in all) {
    const value = all[name]
    all[name] = typeof value === 'string' ? keptText(value) : (value ?? null)
  }
  return all as { -readonly [K in keyof T]: T[K] }
}
