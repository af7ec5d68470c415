import { isUtf8 } from 'node:buffer'
import type Libsql from 'libsql'

/** What is done with a text that is not UTF-8, and with bytes where a text belongs: see `DatabaseOptions`. */
export type DamagedText = 'refused' | 'replaced'

type Row = Record<string, unknown>

/** A prepared statement, whose rows are readable. */
export type Readable = Pick<Libsql.Statement, 'get' | 'all' | 'run'>

/**
 * Prepares a statement so that any file can be read with it: for a text that is not UTF-8, the driver would end the process, and one
 * with a zero character would be cut there. So whatever may be one is read as bytes. Short texts of ASCII alone, which most are, are
 * read as they are, since that is faster.
 */
export function prepareReadable(raw: Libsql.Database, sql: string, damagedText: DamagedText): Readable {
  // Only numbers are asked for in another way.
  if (!sql.trimStart().startsWith('SELECT')) return raw.prepare(sql)
  if (!sql.trimStart().startsWith('SELECT *')) return prepareSelect(raw, sql, damagedText)
  // Rows of many columns take ten times as long to prepare as to find out that there are none, as there often are.
  const some = raw.prepare(`SELECT 1 FROM (${sql}) LIMIT 1`)
  let select: Readable | undefined
  const whereSome = (values: unknown): Readable | undefined => {
    if (!select && some.get(values)) select = prepareSelect(raw, sql, damagedText)
    return select
  }
  return {
    get: values => whereSome(values)?.get(values),
    all: values => whereSome(values)?.all(values) ?? [],
    run: values => some.run(values),
  }
}

function prepareSelect(raw: Libsql.Database, sql: string, damagedText: DamagedText): Readable {
  const names = raw
    .prepare(sql)
    .columns()
    .map(({ name }) => name)
  const columns = names.map(name => {
    const column = `"${name.replaceAll('"', '""')}"`
    return `CASE typeof(${column}) WHEN 'text' THEN iif(${isDoubtful(column)}, CAST(${column} AS BLOB), ${column})
      WHEN 'blob' THEN x'ff' ELSE ${column} END AS ${column}`
  })
  const statement = raw.prepare(`SELECT ${columns.join(', ')} FROM (${sql})`)
  const decode = (row: Row) => {
    for (const name of names) {
      const value = row[name]
      if (value instanceof ArrayBuffer || value instanceof Uint8Array) row[name] = textOf(value, damagedText)
    }
  }
  return {
    get(values) {
      const row = statement.get(values) as Row | undefined
      if (row) decode(row)
      return row
    },
    all(values) {
      const rows = statement.all(values) as Row[]
      for (const row of rows) decode(row)
      return rows
    },
    run: values => statement.run(values),
  }
}

/** The texts up to this length are looked at by SQLite itself. */
const short = 128

const isDoubtful = (column: string): string =>
  `octet_length(${column}) > ${short} OR octet_length(${column}) <> length(${column}) OR ${column} GLOB '*[^ -~]*'`

function textOf(value: ArrayBuffer | Uint8Array, damagedText: DamagedText): string {
  const bytes =
    value instanceof ArrayBuffer
      ? Buffer.from(value)
      : Buffer.from(value.buffer, value.byteOffset, value.length)
  if (damagedText === 'refused' && !isUtf8(bytes)) throw damage('a text is not UTF-8')
  try {
    return bytes.toString()
  } catch (error) {
    throw damage('a text is too long', error)
  }
}

/** Throws if a name in a file is not UTF-8, for which the driver would end the process as well. */
export function checkSchemaText(raw: Libsql.Database): void {
  const rows = raw.prepare('SELECT CAST(sql AS BLOB) AS sql FROM sqlite_schema').all() as {
    sql: ArrayBuffer | null
  }[]
  if (rows.some(({ sql }) => sql !== null && !isUtf8(new Uint8Array(sql))))
    throw damage('a name is not UTF-8')
}

/** An error like SQLite's own for a damaged file. */
const damage = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'SQLITE_CORRUPT', rawCode: 11 })
