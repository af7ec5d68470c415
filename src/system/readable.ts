import { isUtf8 } from 'node:buffer'
import type Libsql from 'libsql'

/** What is done with a text that is not UTF-8, and with bytes where a text belongs: see `DatabaseOptions`. */
export type DamagedText = 'refused' | 'replaced'

export type Row = Record<string, unknown>

/** A query as it is asked, and what makes a row of an answer to it readable. */
export interface Readable {
  readonly statement: Libsql.Statement
  readonly decode: (row: Row) => void
}

/**
 * Prepares a statement so that any file can be read with it: for a text that is not UTF-8, the driver would end the process, and one
 * with a zero character would be cut there. So whatever may be one is read as bytes. Short texts of ASCII alone, which most are, are
 * read as they are, since that is faster.
 */
export function prepareReadable(raw: Libsql.Database, sql: string, damagedText: DamagedText): Readable {
  const plain = raw.prepare(sql)
  // Only numbers are asked for in another way.
  if (!sql.trimStart().startsWith('SELECT')) return { statement: plain, decode: () => undefined }
  const names = plain.columns().map(({ name }) => name)
  const columns = names.map(name => {
    const column = `"${name.replaceAll('"', '""')}"`
    return `CASE typeof(${column}) WHEN 'text' THEN iif(${isDoubtful(column)}, CAST(${column} AS BLOB), ${column})
      WHEN 'blob' THEN x'ff' ELSE ${column} END AS ${column}`
  })
  return {
    statement: raw.prepare(`SELECT ${columns.join(', ')} FROM (${sql})`),
    decode(row) {
      for (const name of names) {
        const value = row[name]
        if (value instanceof ArrayBuffer || value instanceof Uint8Array)
          row[name] = textOf(value, damagedText)
      }
    },
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
