import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { migrations, newSchema } from '../../src/uploads/journal/schema.ts'

/** The tables and indexes that a schema makes, with their columns in order. */
function madeBy(schema: readonly string[]) {
  const db = new Libsql(':memory:')
  for (const step of schema) db.exec(step)
  const all = (sql: string): Record<string, unknown>[] => db.prepare(sql).all() as Record<string, unknown>[]
  const names = all('SELECT type, name, tbl_name AS "of" FROM sqlite_master ORDER BY name')
  const made = names.map(({ type, name, of }) => ({
    name,
    of,
    columns: all(`PRAGMA ${type}_xinfo("${name}")`),
    indexes: type === 'table' ? all(`PRAGMA index_list("${name}")`).map(indexOf) : [],
  }))
  db.close()
  return made
}

const indexOf = ({ name, unique, origin, partial }: Record<string, unknown>) => ({
  ...{ name, unique, origin, partial },
})

it('makes a new journal the same as one that went through every version', () => {
  const made = madeBy([newSchema])
  expect(made.map(({ name }) => name)).toContain('uploads')
  expect(made).toEqual(madeBy(migrations))
})
