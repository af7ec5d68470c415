import { resolve } from 'node:path'
import { escapeFormula } from '../formula.ts'
import { type BookField, bookFieldEntries } from '../plan/book-fields.ts'
import type { WantedFile } from '../plan/wanted.ts'
import { readFile } from '../system/files.ts'
import { checkWritable, unwritable, writeFile } from '../system/write-file.ts'
import { listCell } from './cells.ts'
import { pairText } from './pair.ts'
import { columns } from './tables.ts'

/**
 * Writes what failed as a catalogue that `--manifest` reads to the same uploads again, from wherever it lies. Throws
 * when a file of that name holds anything else than such a catalogue. All but the errors is what the user gave, and stands
 * there as it is; `printable` makes an error fit for a cell.
 */
export async function writeFailed(
  path: string,
  failed: readonly { row: WantedFile; error: string }[],
  printable: (text: string) => string,
): Promise<void> {
  const { stringify } = await import('csv-stringify/sync')
  const header = stringify([[...columns]])
  // Not before it is known to be a file: a pipe would be waited at.
  checkWritable(path)
  const before = await readFile(path, 'utf8').catch(() => '')
  if (before !== '' && !before.startsWith(header)) throw unwritable(path, { code: 'EEXIST' })
  const rows = failed.map(({ row: { file, overrides }, error }) => [
    resolve(file),
    ...bookFieldEntries.map(([name, { kind }]) => cellOf(kind, overrides[name])),
    printable(error),
  ])
  const text = header + stringify(rows.map(cells => cells.map(each => each && escapeFormula(each))))
  writeFile(path, text, { isPrivate: false, isDurable: true })
}

function cellOf(kind: BookField['kind'], value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (kind === 'list') return listCell(value as string[])
  if (kind === 'pairs')
    return listCell(Object.entries(value as object).map(([key, each]) => pairText(key, each)))
  return kind === 'boolean' ? 'yes' : String(value)
}
