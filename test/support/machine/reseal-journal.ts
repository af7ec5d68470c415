import { join } from 'node:path'
import Libsql from 'libsql'
import { secretKey } from '../../../src/config/secret-key.ts'
import { openSeal } from '../../../src/uploads/journal/seal.ts'

/** Changes the journal of a machine as its own pubctl would: what the statements leave has the seal of its user. */
export function changeJournal(home: string, statements: string): void {
  const db = new Libsql(join(home, '.local/share/pubctl/uploads.db'))
  db.exec(statements)
  const seal = openSeal(secretKey(join(home, '.config/pubctl'), 'journal'), () => undefined)
  for (const table of ['uploads', 'queue'] as const) {
    const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, string | number | null>[]
    for (const row of rows)
      db.prepare(`UPDATE ${table} SET mac = ? WHERE number = ?`).run([seal.macOf(table, row), row['number']])
  }
  db.close()
}
