import { extname } from 'node:path'
import { UsageFailure } from '../errors.ts'
import { unescapeFormula } from '../formula.ts'
import { bookFieldEntries, columnOf } from '../plan/book-fields.ts'

/** The columns of a sheet: the file, the fields of a book by the names of their flags, and an error. */
export const columns: readonly string[] = [
  'file',
  ...bookFieldEntries.map(([name]) => columnOf(name)),
  // Written to failed.csv, and not read.
  'error',
]

/** The cells of a row, by column. */
export type Cells = Record<string, unknown>

/** A row and its name in messages. */
interface Row {
  readonly cells: Cells
  readonly line: string
}

type FaultIn = (line: string) => (column: string, message: string) => void

/** The rows of a sheet; its file extension tells the format. Unknown columns are faults. */
export async function readTable(path: string, text: string, faultIn: FaultIn): Promise<Row[]> {
  const name = extname(path).toLowerCase()
  try {
    if (name === '.json') return listed(JSON.parse(text), faultIn)
    if (name === '.yaml' || name === '.yml') {
      const { parseYaml } = await import('./yaml.ts')
      // All values are read as text; otherwise an ISBN would become a number.
      return listed(parseYaml(text, { schema: 'failsafe' }), faultIn)
    }
    return await separated(text, faultIn)
  } catch (error) {
    throw new UsageFailure(`${path} cannot be read: ${(error as Error).message.split('\n')[0]}`, {
      code: 'bad_manifest',
      hint: 'A sheet is CSV with a header row, or a YAML or JSON list of objects, by its name.',
    })
  }
}

async function separated(text: string, faultIn: FaultIn): Promise<Row[]> {
  const { parse } = await import('csv-parse/sync')
  const delimiter = [',', ';', '\t'].sort((a, b) => count(text, b) - count(text, a))[0] ?? ','
  const options = { bom: true, delimiter, relax_column_count: true, info: true } as const
  const records = parse(text, options) as unknown as { record: string[]; info: { empty_lines: number } }[]
  const [first, ...rest] = records
  const header = first?.record.map(headerName) ?? []
  const faultInHeader = faultIn('row 1')
  for (const [index, column] of header.entries()) {
    const isUsed = rest.some(({ record }) => (record[index] ?? '').trim() !== '')
    if (column === '' ? isUsed : !isKnown(column))
      faultInHeader(column || `${index + 1}`, 'there is no column of this name')
    if (column !== '' && header.indexOf(column) < index)
      faultInHeader(column, 'there are two columns of this name')
  }
  if (first !== undefined && !header.includes('file')) {
    faultInHeader('file', 'this column is missing')
    return []
  }
  return rest.flatMap(({ record }, index) => {
    // Rows are numbered as in a spreadsheet, where a cell can have several lines.
    const line = `row ${index + 2}`
    if (record.every(cell => cell.trim() === '')) return []
    if (record.length !== header.length) {
      faultIn(line)(
        '',
        `has ${record.length} cells, and the header has ${header.length}; is a quotation mark missing?`,
      )
      return []
    }
    const cells = header.flatMap((column, at) =>
      column === '' ? [] : [[column, unescapeFormula(record[at] ?? '')] as const],
    )
    return [{ cells: Object.fromEntries(cells), line }]
  })
}

/** How often a delimiter occurs in the header row. */
const count = (text: string, delimiter: string): number =>
  (text.split('\n', 1)[0] ?? '').split(delimiter).length

/** Column names are case-insensitive; metadata keys are not. */
const headerName = (name: string): string => {
  const trimmed = name.trim()
  return /^metadata\./i.test(trimmed)
    ? `metadata.${trimmed.slice('metadata.'.length)}`
    : trimmed.toLowerCase()
}

const isKnown = (column: string): boolean => columns.includes(column) || column.startsWith('metadata.')

function listed(value: unknown, faultIn: FaultIn): Row[] {
  if (!Array.isArray(value)) throw new Error('it is not a list')
  return value.map((cells, index) => {
    const line = `item ${index + 1}`
    if (typeof cells !== 'object' || cells === null || Array.isArray(cells))
      throw new Error(`${line} is not an object`)
    for (const name of Object.keys(cells))
      if (!isKnown(name)) faultIn(line)(name, 'there is no column of this name')
    return { cells: cells as Cells, line }
  })
}
