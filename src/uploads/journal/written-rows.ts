import { type Database, keptText } from '../../system/database.ts'
import type { Claims } from './claims.ts'
import { type StoredEntry, storedIn } from './entry.ts'
import { rowsIn } from './own-rows.ts'
import { type Seal, sealedColumns } from './seal.ts'

/** The rows of uploads as this process writes them, each with its seal in one statement. Called in transactions. */
export interface WrittenRows {
  add(entry: StoredEntry): StoredEntry
  /** Changes the row of an upload that this process has claimed; undefined if it is not there, not its user's own, or not claimed. */
  change(uploadRequestId: string, change: Partial<StoredEntry>): StoredEntry | undefined
  /** The row of an upload as this process wrote it last, if it did. */
  latest(uploadRequestId: string): StoredEntry | undefined
  /** Forgets what this process wrote of an upload, when it is done with it. */
  drop(uploadRequestId: string): void
}

/** What is stored of an upload, and the seal of its row. */
interface Sealed {
  readonly stored: StoredEntry
  readonly mac: string | null
}

const columns = sealedColumns.uploads
const insertion = `INSERT INTO uploads (${columns.join(', ')}, mac) VALUES (${columns.map(() => '?').join(', ')}, ?)`

export function openWrittenRows(db: Database, seal: Seal, claims: Pick<Claims, 'owner'>): WrittenRows {
  /** A row that still has the seal with which it was written here is as it was, and need not be read to be changed. */
  const written = new Map<string, Sealed>()
  const update = ({ stored, mac: before }: Sealed, change: Partial<StoredEntry>): Sealed | undefined => {
    const changed = { ...stored, ...kept(change) }
    const mac = seal.macOf('uploads', changed)
    const names = (Object.keys(change) as (keyof StoredEntry)[]).filter(
      name => changed[name] !== stored[name],
    )
    // A change within a millisecond may leave all as it is; the seal is always written, so that there is something to set.
    const count = db.run(
      `UPDATE uploads SET ${names.map((name, index) => `${name} = ?${index + 5}, `).join('')}mac = ?4
       WHERE uploadRequestId = ?1 AND mac = ?2
         AND EXISTS (SELECT * FROM claims WHERE uploadRequestId = ?1 AND owner = ?3)`,
      ...[stored.uploadRequestId, before, claims.owner, mac],
      ...names.map(name => changed[name]),
    )
    return count > 0 ? { stored: changed, mac } : undefined
  }
  const read = (uploadRequestId: string): Sealed | undefined => {
    const [row] = rowsIn({ db, seal }, 'SELECT * FROM uploads WHERE uploadRequestId = ?', uploadRequestId)
    return row && { stored: storedIn(row), mac: row.mac }
  }
  return {
    add(entry) {
      const stored = kept(entry)
      const mac = seal.macOf('uploads', stored)
      db.run(insertion, ...columns.map(name => stored[name]), mac)
      written.set(stored.uploadRequestId, { stored, mac })
      return stored
    },
    change(uploadRequestId, change) {
      const before = written.get(uploadRequestId)
      let changed = before && update(before, change)
      if (!changed) {
        const found = read(uploadRequestId)
        changed = found && update(found, change)
      }
      if (changed) written.set(uploadRequestId, changed)
      else written.delete(uploadRequestId)
      return changed?.stored
    },
    latest: uploadRequestId => written.get(uploadRequestId)?.stored,
    drop: uploadRequestId => void written.delete(uploadRequestId),
  }
}

/** The same values as they are kept. */
function kept<T extends Partial<StoredEntry>>(values: T): T {
  const all = { ...values } as Record<string, unknown>
  for (const name in all) {
    const value = all[name]
    all[name] = typeof value === 'string' ? keptText(value) : (value ?? null)
  }
  return all as T
}
