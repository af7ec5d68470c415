import { pairText, parsePair } from '../../../cli/pair.ts'
import { bookFieldEntries, columnOf, type Overrides } from '../../../plan/book-fields.ts'
import { isSameList, isSameText } from '../../../plan/match.ts'
import { serialise } from '../../../system/exact-json.ts'
import { escapeFormula } from '../../../system/formula.ts'
import { listCell, listOf } from './cells.ts'
import { catalogueColumns } from './columns.ts'

export type SheetFormat = 'csv' | 'yaml' | 'json'

/** The format of a sheet by its file's extension, as it is read. */
export const sheetFormatOf = (path: string): SheetFormat =>
  /\.json$/i.test(path) ? 'json' : /\.ya?ml$/i.test(path) ? 'yaml' : 'csv'

/** The columns of a sheet that is written: what names a book comes first. */
export const writtenColumns: readonly string[] = [
  'publicationId',
  ...catalogueColumns.filter(column => !['publicationId', 'cover', 'error'].includes(column)),
]

/** A row of a sheet, by column. */
export interface WrittenRow {
  readonly cells: Readonly<Record<string, unknown>>
  /** The columns and metadata keys whose values would not be read back as they are, and were left out. */
  readonly lost: readonly string[]
}

/**
 * The cells of a book for a sheet that is read back to the same values. `printable` gives the text to write for that of a
 * cell of CSV, or undefined where it cannot be written.
 */
export function writtenRow(
  publicationId: string,
  values: Overrides,
  format: SheetFormat,
  printable: (text: string) => string | undefined = text => text,
): WrittenRow {
  const cells: Record<string, unknown> = { publicationId }
  const lost: string[] = []
  for (const [name, { kind }] of bookFieldEntries) {
    const value = values[name]
    if (value === undefined) continue
    const column = columnOf(name)
    if (kind === 'pairs') {
      const { cell, lostKeys } = pairsCell(value as Record<string, unknown>, format)
      if (cell !== undefined) cells[column] = cell
      lost.push(...lostKeys.map(key => `${column}.${key}`))
    } else if (kind === 'list') {
      const list = value as readonly string[]
      const cell = format === 'csv' ? listCell(list) : list
      const isSame = format !== 'csv' || isSameList(listOf(listCell(list) ?? ''), list)
      if (isSame && cell !== undefined) cells[column] = cell
      else if (!isSame) lost.push(column)
    } else cells[column] = kind === 'boolean' ? 'yes' : String(value)
  }
  if (format === 'csv') {
    for (const [column, cell] of Object.entries(cells)) {
      cells[column] = printable(String(cell))
      if (cells[column] === undefined) lost.push(column)
    }
  }
  return { cells, lost }
}

function pairsCell(pairs: Readonly<Record<string, unknown>>, format: SheetFormat) {
  const entries = Object.entries(pairs)
  const isObject =
    format === 'json' || (format === 'yaml' && entries.every(([, value]) => typeof value === 'string'))
  const kept = entries.filter(([key, value]) => (isObject ? isJson(value) : isPair(key, value, format)))
  const lostKeys = entries.filter(entry => !kept.includes(entry)).map(([key]) => key)
  if (kept.length === 0) return { cell: undefined, lostKeys }
  if (isObject) return { cell: Object.fromEntries(kept), lostKeys }
  const texts = kept.map(([key, value]) => pairText(key, value))
  return { cell: format === 'csv' ? listCell(texts) : texts, lostKeys }
}

/** Whether JSON keeps a value: it has integers that are too large. */
const isJson = (value: unknown): boolean => {
  const text = serialise(value)
  return JSON.stringify(JSON.parse(text)) === text
}

/** Whether a pair is read back to the same. */
function isPair(key: string, value: unknown, format: SheetFormat): boolean {
  try {
    const text = pairText(key, value)
    const [read = text, ...more] = format === 'csv' ? listOf(listCell([text]) ?? '') : [text]
    const [readKey, readValue] = parsePair(read)
    if (more.length > 0 || readKey !== key) return false
    return typeof value === 'string'
      ? typeof readValue === 'string' && isSameText(readValue, value)
      : serialise(readValue) === serialise(value)
  } catch {
    return false
  }
}

/** The text of a sheet with these rows, in pieces. `neutral` escapes in JSON what a terminal obeys or what reorders text. */
export async function sheetWriter(
  format: SheetFormat,
  neutral: (json: string) => string,
): Promise<{
  readonly start: string
  row(cells: WrittenRow['cells'], isFirst: boolean): string
  end(isEmpty: boolean): string
}> {
  if (format === 'json') {
    return {
      start: '[',
      row: (cells, isFirst) => `${isFirst ? '' : ','}\n${neutral(serialise(cells))}`,
      end: () => '\n]\n',
    }
  }
  if (format === 'yaml') {
    const { stringifyYaml } = await import('./yaml.ts')
    return {
      start: '',
      row(cells) {
        const text = stringifyYaml([cells], { lineWidth: 0 })
        if (neutral(text) === text) return text
        // Within double quotation marks, YAML has the escapes of JSON.
        const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const
        return neutral(stringifyYaml([cells], { lineWidth: 0, ...quoted }))
      },
      end: isEmpty => (isEmpty ? '[]\n' : ''),
    }
  }
  const { stringify } = await import('csv-stringify/sync')
  return {
    start: stringify([[...writtenColumns]]),
    row: cells =>
      stringify([writtenColumns.map(column => escapeFormula(String(cells[column] ?? '')))], {
        quoted_match: /[\r\n\t;]/,
      }),
    end: () => '',
  }
}
