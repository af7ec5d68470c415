import { resolve } from 'node:path'
import { isIsbn } from '../../../books/index.ts'
import { noPairs, parsePair, withPair } from '../../../cli/pair.ts'
import {
  type BookField,
  bookFieldEntries,
  columnOf,
  isImagePath,
  type Overrides,
} from '../../../plan/book-fields.ts'
import { UsageFailure } from '../../../system/errors.ts'
import { asText } from '../../../system/exact-json.ts'
import { stat } from '../../../system/files.ts'
import { isObject } from '../../../system/is-object.ts'
import { type MayRead, notInRoot } from '../../../system/may-read.ts'
import { listOf } from './cells.ts'
import type { Cells } from './rows.ts'

/** What a row says of a book. */
export interface RowValues {
  /** The path as written, from the sheet's folder. */
  readonly file: string | undefined
  readonly key: string | undefined
  readonly publicationId: string | undefined
  readonly overrides: Overrides
}

/** The files that a row names come first among its faults. */
const readingOrder = [...bookFieldEntries].sort(
  ([, one], [, other]) => Number(other.kind === 'cover') - Number(one.kind === 'cover'),
)

type Fault = (column: string, message: string) => void

interface RowOptions {
  readonly folder: string
  readonly isFileNeeded: boolean
  /** Whether the files that it names may come later. */
  readonly mayLackFiles: boolean
  readonly mayRead: MayRead
  readonly fault: Fault
}

/** Reads the cells of a row; each that cannot be used is a fault. Relative paths start at `folder`. */
export async function readRow(
  cells: Cells,
  { folder, isFileNeeded, mayLackFiles, mayRead, fault }: RowOptions,
): Promise<RowValues> {
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
    if (Array.isArray(value)) {
      if (value.some(each => each === null || typeof each === 'object'))
        fault(column, 'has something that is not text')
      return value.map(asText)
    }
    const cell = text(column)
    return cell === undefined ? undefined : listOf(cell)
  }
  const file = await fileOf(cells, folder, text('file'))
  if (file === undefined && isFileNeeded) fault('file', 'names no file')
  const checkFile = async (column: string, path: string) => {
    if (!mayRead(path)) fault(column, notInRoot(path))
    else if (!mayLackFiles && !(await isFile(path))) fault(column, `there is no file ${path}`)
  }
  if (file !== undefined) await checkFile('file', resolve(folder, file))
  const readers: Readonly<Record<BookField['kind'], (column: string) => unknown>> = {
    text,
    language: text,
    isbn: column => isbnOf(text(column), fault),
    list,
    pairs: column => pairsOf(column, cells, isObject(cells[column]) ? undefined : list(column), fault),
    cover: column => coverOf(text(column), folder, path => checkFile('cover', path)),
    boolean: column => booleanOf(column, text(column), fault),
  }
  const overrides: [string, unknown][] = []
  for (const [name, { kind }] of readingOrder) {
    const value = await readers[kind](columnOf(name))
    if (value !== undefined) overrides.push([name, value])
  }
  return {
    file,
    key: text('key'),
    publicationId: text('publicationId'),
    overrides: Object.fromEntries(overrides) as Overrides,
  }
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

async function coverOf(
  cover: string | undefined,
  folder: string,
  checkFile: (path: string) => Promise<void>,
): Promise<string | undefined> {
  if (!isImagePath(cover)) return cover
  const path = resolve(folder, cover)
  await checkFile(path)
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

/** Values from `metadata.<key>` columns, from `key=value` pairs in one cell of the column, or from an object in it. */
function pairsOf(column: string, cells: Cells, list: string[] | undefined, fault: Fault) {
  const found = noPairs()
  const whole = cells[column]
  if (isObject(whole)) {
    Object.assign(found, whole)
  } else {
    for (const pair of list ?? []) {
      try {
        const [key, value] = parsePair(pair)
        withPair(found, [key, typeof value === 'string' ? value.trim() : value])
      } catch (error) {
        if (!(error instanceof UsageFailure)) throw error
        fault(column, error.message)
      }
    }
  }
  for (const [name, value] of Object.entries(cells)) {
    if (name.startsWith(`${column}.`) && value !== '' && value !== null)
      found[name.slice(column.length + 1)] = typeof value === 'object' ? value : String(value)
  }
  return Object.keys(found).length > 0 ? found : undefined
}
