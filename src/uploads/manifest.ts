import { readFile, stat } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { isIsbn } from '../books/index.ts'
import { exitCodes, Failure, type FailureDetail, UsageFailure } from '../errors.ts'
import type { Wishes } from './plan.ts'

/** One book of a catalogue: its file, and what is said of it. */
export interface ManifestRow {
  readonly file: string
  readonly wishes: Wishes
}

/** The columns of a catalogue; they are the flags' names. Several values stand in one cell with semicolons between. */
export const columns = [
  'file',
  'title',
  'author',
  'language',
  'description',
  'isbn',
  'publisher',
  'metadata',
  'cover',
  'collection',
  'sample-item',
  'internal',
  // What went wrong the last time, in a list of failures that is fed back in; it is not read.
  'error',
] as const
type Column = (typeof columns)[number]

type Cells = Record<string, unknown>

/**
 * Reads a catalogue: CSV with a header row, or YAML or JSON with a list of objects. Files are looked for beside it.
 * Throws one failure that names every fault with its row and column, before anything is sent.
 */
export async function readManifest(path: string): Promise<ManifestRow[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageFailure(`cannot read ${path}: ${error.code ?? error.message}`, { code: 'file_unreadable' })
  })
  const rows = await parse(path, text.replace(/^\uFEFF/, ''))
  const faults: FailureDetail[] = []
  const read: ManifestRow[] = []
  for (const { cells, line } of rows) {
    const fault = (column: string, message: string) =>
      faults.push({ message, path: [line, column], code: 'bad_cell' })
    for (const name of Object.keys(cells)) {
      if (!columns.includes(name as Column) && !/^metadata\./.test(name))
        fault(name, 'there is no column of this name')
    }
    const row = await readRow(cells, dirname(path), fault)
    if (row) read.push(row)
  }
  if (rows.length === 0) throw new UsageFailure(`${path} names no books`, { code: 'bad_manifest' })
  if (faults.length === 0) return read
  throw new Failure(
    `${path} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}, so nothing was sent`,
    {
      code: 'bad_manifest',
      exitCode: exitCodes.usage,
      hint: `Each is named by its row and column. The columns are ${columns.join(', ')}.`,
      details: faults,
    },
  )
}

async function parse(path: string, text: string): Promise<{ cells: Cells; line: string }[]> {
  try {
    const name = extname(path).toLowerCase()
    if (name === '.json') return listed(JSON.parse(text))
    if (name === '.yaml' || name === '.yml') {
      const yaml = await import('yaml')
      // Everything stays text, or an ISBN would become a number and lose its form.
      return listed(yaml.parse(text, { schema: 'failsafe' }))
    }
    const { parse } = await import('csv-parse/sync')
    const records = parse(text, {
      columns: header =>
        header.map((name: string) =>
          /^metadata\./i.test(name.trim()) ? name.trim() : name.trim().toLowerCase(),
        ),
      delimiter: [',', ';', '\t'].sort((a, b) => count(text, b) - count(text, a))[0] ?? ',',
      skip_empty_lines: true,
      info: true,
    }) as unknown as { record: Cells; info: { lines: number } }[]
    return records.map(({ record, info }) => ({ cells: record, line: `row ${info.lines}` }))
  } catch (error) {
    throw new UsageFailure(`${path} cannot be read: ${(error as Error).message.split('\n')[0]}`, {
      code: 'bad_manifest',
      hint: 'A catalogue is CSV with a header row, or a YAML or JSON list of objects, by its name.',
    })
  }
}

/** How often a delimiter stands in the header row. */
const count = (text: string, delimiter: string): number =>
  (text.split('\n', 1)[0] ?? '').split(delimiter).length

function listed(value: unknown): { cells: Cells; line: string }[] {
  if (!Array.isArray(value)) throw new Error('it is not a list')
  return value.map((cells, index) => {
    if (typeof cells !== 'object' || cells === null || Array.isArray(cells))
      throw new Error(`item ${index + 1} is not an object`)
    return { cells: cells as Cells, line: `item ${index + 1}` }
  })
}

async function readRow(
  cells: Cells,
  folder: string,
  fault: (column: string, message: string) => void,
): Promise<ManifestRow | undefined> {
  const text = (column: Column): string | undefined => {
    const value = cells[column]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value.trim() || undefined
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    fault(column, 'is not text')
    return undefined
  }
  const list = (column: Column): string[] | undefined => {
    const value = cells[column]
    if (Array.isArray(value)) return value.map(String)
    return text(column)
      ?.split(';')
      .map(each => each.trim())
      .filter(Boolean)
  }
  const file = text('file')
  if (file === undefined) fault('file', 'names no file')
  const path = file === undefined ? undefined : resolve(folder, file)
  if (path !== undefined && !(await isFile(path))) fault('file', `there is no file ${path}`)
  const cover = text('cover')
  const coverPath =
    cover === undefined || cover === 'auto' || cover === 'none' ? cover : resolve(folder, cover)
  if (coverPath !== cover && coverPath !== undefined && !(await isFile(coverPath)))
    fault('cover', `there is no file ${coverPath}`)
  const wishes: Wishes = {
    title: text('title'),
    author: list('author'),
    language: text('language'),
    description: text('description'),
    isbn: isbnOf(text('isbn'), fault),
    publisher: text('publisher'),
    metadata: metadataOf(cells, list('metadata'), fault),
    cover: coverPath,
    collection: list('collection'),
    sampleItem: list('sample-item'),
    internal: booleanOf(text('internal'), fault),
  }
  return path === undefined ? undefined : { file: path, wishes }
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? false

function isbnOf(
  text: string | undefined,
  fault: (column: string, message: string) => void,
): string | undefined {
  if (text === undefined) return undefined
  const isbn = text.replace(/[\s-]/g, '').toUpperCase()
  if (isIsbn(isbn)) return isbn
  fault(
    'isbn',
    /^\d[.,]\d+E\+?\d+$/.test(isbn)
      ? `a spreadsheet turned the ISBN into ${text}; format the column as text and enter it anew`
      : `"${text}" is not an ISBN`,
  )
  return undefined
}

function booleanOf(
  text: string | undefined,
  fault: (column: string, message: string) => void,
): true | undefined {
  if (text === undefined || /^(false|no|0)$/i.test(text)) return undefined
  if (!/^(true|yes|1|x)$/i.test(text)) fault('internal', `"${text}" is neither yes nor no`)
  return true
}

/** Metadata values from `metadata.<key>` columns, from `key=value` pairs in one cell, or from an object. */
function metadataOf(
  cells: Cells,
  list: string[] | undefined,
  fault: (column: string, message: string) => void,
) {
  const found: Record<string, string> = {}
  const { metadata } = cells
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
    for (const [key, value] of Object.entries(metadata)) found[key] = String(value)
  } else {
    for (const pair of list ?? []) {
      const at = pair.indexOf('=')
      if (at < 1) fault('metadata', `"${pair}" is not of the form key=value`)
      else found[pair.slice(0, at).trim()] = pair.slice(at + 1).trim()
    }
  }
  for (const [name, value] of Object.entries(cells)) {
    if (name.startsWith('metadata.') && value !== '' && value !== null)
      found[name.slice('metadata.'.length)] = String(value)
  }
  return Object.keys(found).length > 0 ? found : undefined
}
