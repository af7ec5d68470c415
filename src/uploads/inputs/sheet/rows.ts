import { extname } from 'node:path'
import { hasRounded } from '../../../system/exact-json.ts'
import { unescapeFormula } from '../../../system/formula.ts'
import { columnFault, columnName, identifying, type NamedColumns, namedColumn } from './columns.ts'

/** The cells of a row, by column. */
export type Cells = Record<string, unknown>

/** A row and its name in messages. */
export interface RawRow {
  readonly cells: Cells
  readonly line: string
}

type FaultIn = (line: string) => (column: string, message: string) => void

/** Text in pieces. */
type Text = AsyncGenerator<string>

interface Reading {
  readonly faultIn: FaultIn
  readonly isCatalogue: boolean
  /** What columns of the sheet mean. */
  readonly columns: NamedColumns
  /** Called with a column that is not known; without it, such a column is a fault. */
  readonly onForeign: ((column: string) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** The rows of a sheet; its file extension tells the format. CSV is read in pieces. */
export async function* readRows(path: string, text: Text, reading: Reading): AsyncGenerator<RawRow> {
  const name = extname(path).toLowerCase()
  if (name === '.json') yield* listed(JSON.parse(await whole(text)), reading)
  else if (name === '.yaml' || name === '.yml') {
    const { parseYaml } = await import('./parse-yaml.ts')
    yield* listed(await parseYaml(await whole(text), reading.signal), reading)
  } else yield* separated(text, reading)
}

async function whole(text: Text): Promise<string> {
  let all = ''
  for await (const piece of text) all += piece
  return all
}

/** The most bytes of one row; a quotation mark that never ends would otherwise take the rest of the file. */
const rowLimit = 4 * 1024 * 1024

async function* separated(text: Text, reading: Reading): AsyncGenerator<RawRow> {
  const { parseCsv } = await import('./csv.ts')
  const { value = '' } = await text.next()
  // Excel has a line before the header that names the delimiter, and does not count it.
  const [sepLine = '', sep] = /^\ufeff?sep=(.)\r?\n/i.exec(value) ?? []
  const start = value.slice(sepLine.length)
  const delimiter = sep ?? [',', ';', '\t'].sort((a, b) => count(start, b) - count(start, a))[0] ?? ','
  // A cell ="978…" is text to a spreadsheet, and has quotation marks where a cell must not have any.
  const relax_quotes = start.includes(`${delimiter}="`) || start.includes('\n="')
  const options = {
    ...{ bom: true, delimiter, relax_column_count: true, relax_quotes },
    max_record_size: rowLimit,
  }
  let take: ((record: readonly string[], line: string) => RawRow | undefined) | undefined
  let number = 0
  for await (const record of parseCsv(join(start, text), options)) {
    number += 1
    // Rows are numbered as in a spreadsheet, where a cell can have several lines.
    const line = `row ${number}`
    if (take === undefined) {
      take = readHeader(record, line, reading)
      if (take === undefined) return
    } else {
      const row = take(record, line)
      if (row) yield row
    }
  }
}

async function* join(start: string, text: Text): Text {
  yield start
  yield* text
}

/** How often a delimiter occurs in the header row. */
const count = (text: string, delimiter: string): number =>
  (text.split('\n', 1)[0] ?? '').split(delimiter).length

/** What makes rows of records; undefined if no row could name a book. */
function readHeader(
  written: readonly string[],
  headerLine: string,
  { faultIn, isCatalogue, columns, onForeign }: Reading,
) {
  const faultInHeader = faultIn(headerLine)
  const names = new Set<string>()
  const header = written.map(name => namedColumn(columns, name) ?? columnName(name))
  for (const [index, column] of header.entries()) {
    const fault = column === '' ? undefined : columnFault(column, isCatalogue)
    if (fault && onForeign) {
      onForeign((written[index] ?? '').trim())
      header[index] = leftOut
      continue
    }
    if (fault) faultInHeader(column, fault)
    if (column !== '' && names.has(column)) faultInHeader(column, 'there are two columns of this name')
    names.add(column)
  }
  if (!isCatalogue && !header.includes('file')) return void faultInHeader('file', 'this column is missing')
  if (!header.some(column => identifying.includes(column)))
    return void faultInHeader('', `has none of the columns ${identifying.join(', ')}`)
  const nameless = new Set<number>()
  return (record: readonly string[], line: string): RawRow | undefined => {
    if (record.every(cell => cell.trim() === '')) return undefined
    if (record.length !== header.length) {
      const numbers = `has ${record.length} cells, and the header has ${header.length}`
      return void faultIn(line)('', `${numbers}; is a quotation mark missing?`)
    }
    const cells: Cells = {}
    for (const [index, column] of header.entries()) {
      const cell = record[index] ?? ''
      if (column === leftOut) continue
      if (column !== '') cells[column] = textOf(cell)
      else if (cell.trim() !== '' && !nameless.has(index)) {
        nameless.add(index)
        if (onForeign) onForeign(`${index + 1}`)
        else faultInHeader(`${index + 1}`, 'there is no column of this name')
      }
    }
    return { cells, line }
  }
}

/** Stands for the name of a column that is left out; no column has a line break in its name. */
const leftOut = '\n'

/** The text of a cell, also of one that is written as a formula of a text, as in ="978…". */
function textOf(cell: string): string {
  const text = cell.length > 2 && cell.startsWith('="') && cell.endsWith('"') ? cell.slice(2, -1) : undefined
  return text === undefined || text.replaceAll('""', '').includes('"')
    ? unescapeFormula(cell)
    : text.replaceAll('""', '"')
}

function* listed(value: unknown, { faultIn, isCatalogue, columns, onForeign }: Reading): Generator<RawRow> {
  if (!Array.isArray(value)) throw new Error('it is not a list')
  for (const [index, item] of value.entries()) {
    const line = `item ${index + 1}`
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new Error(`${line} is not an object`)
    const cells: [string, unknown][] = []
    for (const [written, cell] of Object.entries(item)) {
      const name = namedColumn(columns, written) ?? written
      const fault = columnFault(name, isCatalogue)
      if (fault && onForeign) {
        onForeign(written)
        continue
      }
      if (fault) faultIn(line)(name, fault)
      if (cells.some(([other]) => other === name)) faultIn(line)(name, 'there are two columns of this name')
      if (hasRounded(cell))
        faultIn(line)(
          name,
          'has a number that is too large to be read exactly; write it as text, in quotation marks',
        )
      cells.push([name, cell])
    }
    yield { cells: Object.fromEntries(cells), line }
  }
}
