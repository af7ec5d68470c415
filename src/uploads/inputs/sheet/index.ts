import { dirname } from 'node:path'
import { markedEncoding } from '../../../system/byte-order-mark.ts'
import { exitCodes, Failure, type FailureDetail, UsageFailure } from '../../../system/errors.ts'
import type { ChunkDecoder } from '../../../system/text-decoder.ts'
import { decodedText, decoderOf, Undecodable } from '../decode.ts'
import type { Source } from '../source.ts'
import { catalogueColumns, columnHint, columns, identifying, type NamedColumns } from './columns.ts'
import { type RowValues, readRow } from './read-row.ts'
import { readRows } from './rows.ts'

/** A row of a sheet and its name in messages, such as `row 2` or `item 1`. */
export interface SheetRow extends RowValues {
  readonly line: string
}

export interface SheetOptions {
  /** The encoding, if it is not UTF-8 or UTF-16 with a byte order mark. */
  readonly encoding?: string | undefined
  /** Rows need no file, and may have a key and a publication. */
  readonly isCatalogue: boolean
  /** Whether the files that rows name may come later. */
  readonly mayLackFiles?: boolean | undefined
  /** What columns of the sheet mean. */
  readonly columns?: NamedColumns | undefined
  /** Called once with the columns that are not known and were left out; without it, they are faults. */
  readonly onLeftOut?: ((columns: readonly string[]) => void) | undefined
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined
}

/** The most faults that are listed. */
const faultLimit = 1000

/**
 * Reads a sheet: CSV with a header row, or a YAML or JSON list of objects. Relative paths start at the sheet's folder. After
 * the last row it throws one failure that names every fault with its row and column; rows that were given before that must
 * then not be used.
 */
export async function* readSheet(
  source: Source,
  {
    encoding,
    isCatalogue,
    mayLackFiles = false,
    columns: named = new Map(),
    onLeftOut,
    signal,
  }: SheetOptions,
): AsyncGenerator<SheetRow> {
  const { path, mayRead } = source
  const faults: FailureDetail[] = []
  const foreign = new Set<string>()
  let faultCount = 0
  let rowCount = 0
  const faultIn = (line: string) => (column: string, message: string) => {
    faultCount += 1
    if (faults.length < faultLimit)
      faults.push({ message, path: column === '' ? [line] : [line, column], code: 'bad_cell' })
  }
  const decoder = decoderFor(source, encoding)
  try {
    for await (const { cells, line } of readRows(path, decodedText(source, decoder), {
      ...{ faultIn, isCatalogue, signal, columns: named },
      onForeign: onLeftOut && (column => void foreign.add(column)),
    })) {
      signal?.throwIfAborted()
      rowCount += 1
      const fault = faultIn(line)
      const folder = dirname(path)
      const isFileNeeded = !isCatalogue
      const row = await readRow(cells, { folder, isFileNeeded, mayLackFiles, mayRead, fault })
      if (isCatalogue && identifying.every(name => isBlank(cells[name])))
        fault('', `names no book: it has none of ${identifying.join(', ')}`)
      if (faultCount === 0) yield { ...row, line }
    }
  } catch (error) {
    throw unreadableSheet(path, error, encoding)
  }
  const [unknown] = foreign
  if (unknown !== undefined) onLeftOut?.([...foreign])
  if (rowCount === 0 && faultCount === 0)
    throw new UsageFailure(`${path} names no books`, { code: 'bad_manifest' })
  if (faultCount === 0) return
  const listed = faultCount > faults.length ? `The first ${faults.length} are listed. ` : ''
  throw new Failure(
    `${path} has ${faultCount === 1 ? 'a fault' : `${faultCount} faults`}, so nothing ${isCatalogue ? 'is planned' : 'was sent'}`,
    {
      code: 'bad_manifest',
      exitCode: exitCodes.usage,
      hint: `${listed}Each is named by its row and column. The columns are ${(isCatalogue ? catalogueColumns : columns).join(', ')}.${unknown === undefined ? '' : ` ${columnHint(unknown)}`}`,
      details: faults.sort((a, b) => numberOf(a) - numberOf(b)),
    },
  )
}

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === ''

/** The number of a fault's row or item. */
const numberOf = ({ path }: FailureDetail): number => Number(/\d+/.exec(String(path?.[0]))?.[0])

function decoderFor({ path, start }: Source, encoding: string | undefined): ChunkDecoder {
  const wanted = decoderOf(encoding ?? 'utf-8')
  const marked = markedEncoding(start)
  if (marked === undefined && !wanted.encoding.startsWith('utf-16') && start.subarray(0, 2).includes(0)) {
    throw new UsageFailure(`${path} is not UTF-8 text`, {
      code: 'bad_manifest',
      hint: 'It seems to be UTF-16 without a byte order mark: --encoding utf-16le.',
    })
  }
  return marked === undefined ? wanted : decoderOf(marked)
}

function unreadableSheet(path: string, error: unknown, encoding: string | undefined): unknown {
  if (error instanceof Failure) return error
  if (error instanceof Undecodable) {
    return new UsageFailure(
      `${path} is not ${encoding === undefined ? 'UTF-8' : encoding} text: line ${error.line}`,
      {
        code: 'bad_manifest',
        hint:
          encoding === undefined
            ? 'Save it as "CSV UTF-8" in the spreadsheet, or name its encoding: --encoding windows-1252.'
            : 'Name the encoding that it was saved in.',
      },
    )
  }
  return new UsageFailure(`${path} cannot be read: ${(error as Error).message.split(/[\r\n]/)[0]}`, {
    code: 'bad_manifest',
    hint: 'A sheet is CSV with a header row, or a YAML or JSON list of objects, by its name.',
  })
}
