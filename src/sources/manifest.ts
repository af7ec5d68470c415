import { dirname, resolve } from 'node:path'
import { unreadable } from '../books/file.ts'
import { isIsbn } from '../books/index.ts'
import { exitCodes, Failure, type FailureDetail, UsageFailure } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { type BookField, bookFieldEntries, columnOf, type Overrides } from '../plan/book-fields.ts'
import type { WantedFile } from '../plan/wanted.ts'
import { readFile, stat } from '../system/files.ts'
import { listOf } from './cells.ts'
import { parsePair, withPair } from './pair.ts'
import { type Cells, columns, readTable } from './tables.ts'

/**
 * Reads a sheet: CSV with a header row, or a YAML or JSON list of objects. Relative paths start at the sheet's folder. Throws
 * one failure that names every fault with its row and column.
 */
export async function readManifest(path: string): Promise<WantedFile[]> {
  const bytes = await readFile(path).catch(error => {
    throw unreadable(path, error)
  })
  const faults: FailureDetail[] = []
  const faultIn = (line: string) => (column: string, message: string) =>
    void faults.push({ message, path: column === '' ? [line] : [line, column], code: 'bad_cell' })
  const rows = await readTable(path, decoded(path, bytes), faultIn)
  const read: WantedFile[] = []
  for (const { cells, line } of rows) {
    const row = await readRow(cells, dirname(path), faultIn(line))
    if (row) read.push({ ...row, from: { sheet: path, row: line } })
  }
  if (rows.length === 0 && faults.length === 0)
    throw new UsageFailure(`${path} names no books`, { code: 'bad_manifest' })
  if (faults.length === 0) return read
  throw new Failure(
    `${path} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}, so nothing was sent`,
    {
      code: 'bad_manifest',
      exitCode: exitCodes.usage,
      hint: `Each is named by its row and column. The columns are ${columns.join(', ')}.`,
      details: faults.sort((a, b) => numberOf(a) - numberOf(b)),
    },
  )
}

/** The text of a sheet. Other encodings are refused, because they would silently garble accents. */
function decoded(path: string, bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageFailure(`${path} is not UTF-8 text`, {
      code: 'bad_manifest',
      hint: 'Save it as "CSV UTF-8" in the spreadsheet.',
    })
  }
}

/** The files that a row names come first among its faults. */
const readingOrder = [...bookFieldEntries].sort(
  ([, one], [, other]) => Number(other.kind === 'cover') - Number(one.kind === 'cover'),
)

type Fault = (column: string, message: string) => void

async function readRow(cells: Cells, folder: string, fault: Fault): Promise<WantedFile | undefined> {
  const text = (column: string): string | undefined => {
    const value = cells[column]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value.trim() || undefined
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    fault(column, 'is not text')
    return undefined
  }
  const list = (column: string): string[] | undefined => {
    const value = cells[column]
    if (Array.isArray(value)) return value.map(String)
    const cell = text(column)
    return cell === undefined ? undefined : listOf(cell)
  }
  const file = await fileOf(cells, folder, text('file'))
  if (file === undefined) fault('file', 'names no file')
  const path = file === undefined ? undefined : resolve(folder, file)
  if (path !== undefined && !(await isFile(path))) fault('file', `there is no file ${path}`)
  const readers: Readonly<Record<BookField['kind'], (column: string) => unknown>> = {
    text,
    language: text,
    isbn: column => isbnOf(text(column), fault),
    list,
    pairs: column => pairsOf(column, cells, isObject(cells[column]) ? undefined : list(column), fault),
    cover: column => coverOf(text(column), folder, fault),
    boolean: column => booleanOf(column, text(column), fault),
  }
  const overrides: [string, unknown][] = []
  for (const [name, { kind }] of readingOrder) {
    const value = await readers[kind](columnOf(name))
    if (value !== undefined) overrides.push([name, value])
  }
  return path === undefined
    ? undefined
    : { file: path, overrides: Object.fromEntries(overrides) as Overrides }
}

/** The file's name as written if there is such a file, and otherwise trimmed. */
async function fileOf(
  { file }: Cells,
  folder: string,
  trimmed: string | undefined,
): Promise<string | undefined> {
  return typeof file === 'string' && file !== '' && (await isFile(resolve(folder, file))) ? file : trimmed
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? false

async function coverOf(cover: string | undefined, folder: string, fault: Fault): Promise<string | undefined> {
  if (cover === undefined || cover === 'auto' || cover === 'none') return cover
  const path = resolve(folder, cover)
  if (!(await isFile(path))) fault('cover', `there is no file ${path}`)
  return path
}

function isbnOf(text: string | undefined, fault: Fault): string | undefined {
  if (text === undefined) return undefined
  const isbn = text.replace(/[\s-]/g, '').toUpperCase()
  if (isIsbn(isbn)) return isbn
  fault(
    'isbn',
    /^\d([.,]\d+)?E\+?\d+$/.test(isbn) || /^(?=\d{13}$)97[89]\d*0{5}$/.test(isbn)
      ? `a spreadsheet turned the ISBN into ${text}; format the column as text and enter it anew`
      : `"${text}" is not an ISBN`,
  )
  return undefined
}

function booleanOf(column: string, text: string | undefined, fault: Fault): true | undefined {
  if (text === undefined || /^(false|no|0)$/i.test(text)) return undefined
  if (!/^(true|yes|1|x)$/i.test(text)) fault(column, `"${text}" is neither yes nor no`)
  return true
}

/** The number of a fault's row or item. */
const numberOf = ({ path }: FailureDetail): number => Number(/\d+/.exec(String(path?.[0]))?.[0])

/** Values from `metadata.<key>` columns, from `key=value` pairs in one cell of the column, or from an object in it. */
function pairsOf(column: string, cells: Cells, list: string[] | undefined, fault: Fault) {
  let found: Record<string, unknown> = {}
  const whole = cells[column]
  if (isObject(whole)) {
    Object.assign(found, whole)
  } else {
    for (const pair of list ?? []) {
      try {
        const [key, value] = parsePair(pair)
        found = withPair(found, [key, typeof value === 'string' ? value.trim() : value])
      } catch (error) {
        if (!(error instanceof UsageFailure)) throw error
        fault(column, error.message)
      }
    }
  }
  for (const [name, value] of Object.entries(cells)) {
    if (name.startsWith(`${column}.`) && value !== '' && value !== null)
      found[name.slice(column.length + 1)] = String(value)
  }
  return Object.keys(found).length > 0 ? found : undefined
}
