import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { SqlValue } from '../../system/database.ts'

/** What is sealed: everything that decides what is done with a row, and therefore all of it but its number. */
export const sealedColumns = {
  uploads: [
    'uploadRequestId',
    'target',
    'scopeId',
    'keyDigest',
    'fingerprint',
    'file',
    'bytes',
    'modified',
    'sha256',
    'creation',
    'cover',
    'editionOf',
    'stage',
    'publicationId',
    'editionId',
    'uploadStatus',
    'objectKey',
    'coverObjectKey',
    'errorCode',
    'errorMessage',
    'startedAt',
    'changedAt',
  ],
  queue: ['uploadRequestId', 'target', 'scopeId', 'keyDigest', 'file', 'editionOf', 'request', 'queuedAt'],
} as const

type SealedTable = keyof typeof sealedColumns

type Row = Readonly<Record<string, SqlValue>>

/** A row of the journal that was not written with this user's key: its id and its file. */
export interface ForeignRow {
  readonly uploadRequestId: string
  readonly file: string
}

/**
 * Tells the rows that this user's pubctl has written from others, such as those of a journal that a cache of CI restored.
 * Whoever can write to the journal could otherwise choose what is sent.
 */
export interface Seal {
  macOf(table: SealedTable, row: Row): string
  /** Whether a row is this user's own. Other rows are reported, and must be left alone. */
  fits(table: SealedTable, row: Row): boolean
}

/** `onForeign` is called once for each row that does not fit. */
export function openSeal(key: Buffer, onForeign: (row: ForeignRow) => void): Seal {
  // As an object, which need not be made for each row: that takes as long as the seal itself.
  const secret = createSecretKey(key)
  const reported = new Set<string>()
  const macOf = (table: SealedTable, row: Row): string => {
    const values: SqlValue[] = [table]
    for (const name of sealedColumns[table]) values.push(row[name] ?? null)
    return createHmac('sha256', secret).update(JSON.stringify(values)).digest('hex')
  }
  return {
    macOf,
    fits(table, row) {
      // As bytes, of which a text of as many letters may have more.
      const given = Buffer.from(`${row['mac'] ?? ''}`)
      const wanted = Buffer.from(macOf(table, row))
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) return true
      const { uploadRequestId, file } = row
      const id = `${uploadRequestId}`
      if (!reported.has(id)) onForeign({ uploadRequestId: id, file: `${file}` })
      reported.add(id)
      return false
    },
  }
}

/** Added in the sixth version: rows without it are left alone. Upload addresses are not stored any more. */
export const sealSchema = `PRAGMA secure_delete = ON;
UPDATE uploads SET session = NULL, sessionEnds = NULL WHERE session IS NOT NULL;
ALTER TABLE uploads DROP COLUMN session;
ALTER TABLE uploads DROP COLUMN sessionEnds;
ALTER TABLE uploads ADD COLUMN mac TEXT;
ALTER TABLE queue ADD COLUMN mac TEXT;
CREATE INDEX bySize ON uploads (target, bytes);`
