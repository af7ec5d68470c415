import type { Database, SqlValue } from './database.ts'

/** So many rows are inserted by one statement, which takes half as long for each of them as one of its own. */
const atOnce = 100

/** Inserts rows: `INSERT INTO files (name, bytes)` is the statement without their values. All have equally many. */
export function insertMany(
  { run }: Pick<Database, 'run'>,
  statement: string,
  rows: readonly (readonly SqlValue[])[],
): void {
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    const row = `(${(some[0] ?? []).map(() => '?').join(', ')})`
    run(`${statement} VALUES ${some.map(() => row).join(', ')}`, ...some.flat())
  }
}
