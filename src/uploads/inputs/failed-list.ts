import { resolve } from 'node:path'
import { pairText } from '../../cli/pair.ts'
import { type BookField, bookFieldEntries } from '../../plan/book-fields.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { csvMark } from '../../system/csv-mark.ts'
import { escapeFormula } from '../../system/formula.ts'
import { anyFile } from '../../system/may-read.ts'
import { nameOther } from '../../system/name-other.ts'
import { openFile } from '../../system/open-file.ts'
import { checkWritable, unwritable, writeFile } from '../../system/write-file.ts'
import { listCell } from './sheet/cells.ts'
import { columns } from './sheet/columns.ts'

/**
 * Writes the failed files as a sheet for `--manifest`, with absolute paths. Throws if there is a file of that name that is
 * not such a sheet. Everything but the errors is written as the user gave it; `printable` makes an error fit for a cell.
 */
export async function writeFailed(
  path: string,
  failed: readonly { row: WantedFile; error: string }[],
  printable: (text: string) => string,
): Promise<void> {
  const { stringify } = await import('csv-stringify/sync')
  const header = stringify([[...columns]])
  checkWritable(path)
  const mark = '\ufeff'
  const before = (await startOf(path, Buffer.byteLength(mark + header))).replace(mark, '')
  if (before !== '' && !before.startsWith(header)) throw unwritable(path, { code: 'EEXIST' })
  const rows = failed.map(({ row: { file, overrides }, error }) => [
    resolve(file),
    ...bookFieldEntries.map(([name, { kind }]) => cellOf(kind, overrides[name])),
    printable(error),
  ])
  const cells = rows.map(each => each.map(cell => cell && escapeFormula(cell)))
  writeFile(path, csvMark + header + stringify(cells), { isPrivate: false, isDurable: true, nameOther })
}

/** The first bytes of a file as text; none if it cannot be read. Its name is no agent's, so it may be anywhere. */
async function startOf(path: string, bytes: number): Promise<string> {
  const file = await openFile(path, anyFile).catch(() => undefined)
  if (file === undefined) return ''
  try {
    const start = Buffer.alloc(bytes)
    return start.toString('utf8', 0, await file.read(start, 0))
  } finally {
    await file.close()
  }
}

function cellOf(kind: BookField['kind'], value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (kind === 'list') return listCell(value as string[])
  if (kind === 'pairs')
    return listCell(Object.entries(value as object).map(([key, each]) => pairText(key, each)))
  return kind === 'boolean' ? 'yes' : String(value)
}
