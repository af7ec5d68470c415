import { openTemporaryDatabase } from '../../system/database.ts'
import { UsageFailure } from '../../system/errors.ts'
import { guarded } from '../../system/guarded.ts'
import type { FileFacts } from './file-facts.ts'

/** What the files of books say, by the publication; on the disk, because there can be many. */
export interface KeptFacts {
  readonly size: number
  add(publicationId: string, facts: FileFacts): void
  of(publicationId: string): FileFacts | undefined
  close(): void
}

export function openKeptFacts(): KeptFacts {
  const db = guarded(
    openTemporaryDatabase('CREATE TEMP TABLE facts (id TEXT PRIMARY KEY, facts TEXT) WITHOUT ROWID;'),
    noTemporaryFile,
  )
  let size = 0
  return {
    get size() {
      return size
    },
    add(publicationId, facts) {
      size++
      db.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', publicationId, JSON.stringify(facts))
    },
    of(publicationId) {
      if (size === 0) return undefined
      const row = db.get<{ facts: string }>('SELECT facts FROM facts WHERE id = ?', publicationId)
      return row && JSON.parse(row.facts)
    },
    close: db.close,
  }
}

/** The failure of a temporary database; `trouble` is a clause. */
export const noTemporaryFile = (trouble: string, cause: unknown): UsageFailure =>
  new UsageFailure(`the temporary file of the message ${trouble}`, {
    code: 'no_temporary_file',
    hint: 'Free some space in the folder for temporary files, or name another one with SQLITE_TMPDIR.',
    cause,
  })
