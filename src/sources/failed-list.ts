import { resolve } from 'node:path'
import { readFile } from '../system/files.ts'
import { checkWritable, unwritable, writeFile } from '../system/write-file.ts'
import { defused, listCell } from './cells.ts'
import type { ManifestRow } from './manifest.ts'
import { pairText } from './pair.ts'
import { columns } from './tables.ts'

/**
 * Writes what failed as a catalogue that `--manifest` reads to the same uploads again, from wherever it lies. Throws
 * when a file of that name holds anything else than such a catalogue. All but the errors is what the user gave, and stands
 * there as it is; `printable` makes an error fit for a cell.
 */
export async function writeFailed(
  path: string,
  failed: readonly { row: ManifestRow; error: string }[],
  printable: (text: string) => string,
): Promise<void> {
  const { stringify } = await import('csv-stringify/sync')
  const header = stringify([[...columns]])
  // Not before it is known to be a file: a pipe would be waited at.
  checkWritable(path)
  const before = await readFile(path, 'utf8').catch(() => '')
  if (before !== '' && !before.startsWith(header)) throw unwritable(path, { code: 'EEXIST' })
  const rows = failed.map(({ row: { file, wishes }, error }) => [
    resolve(file),
    wishes.title,
    listCell(wishes.author),
    wishes.language,
    wishes.description,
    wishes.isbn,
    wishes.publisher,
    listCell(Object.entries(wishes.metadata ?? {}).map(([key, value]) => pairText(key, value))),
    wishes.cover,
    listCell(wishes.collection),
    listCell(wishes.sampleItem),
    wishes.internal ? 'yes' : undefined,
    printable(error),
  ])
  const text = header + stringify(rows.map(cells => cells.map(each => each && defused(each))))
  writeFile(path, text, { isPrivate: false, isDurable: true })
}
