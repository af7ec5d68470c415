import { basename, dirname, join, relative } from 'node:path'
import { Failure, Interrupted } from '../system/errors.ts'
import { existsAt, namesLike } from '../system/free-names.ts'
import type { World } from '../system/world.ts'
import { type FileRow, readSheetRows, rowId } from './folder/sheet-rows.ts'
import type { Folders } from './folders.ts'
import type { Item, RowReceipt } from './item.ts'
import type { RowOptions } from './options.ts'
import { readReceipt, receiptFileName } from './settle-file.ts'

/** Reads a sheet that is complete, and finds the rows that an earlier run has settled. */
export async function readFolderSheet(
  item: Item,
  folders: Folders,
  options: RowOptions & Pick<World, 'signal' | 'mayRead'>,
): Promise<void> {
  try {
    const { rows, sha256 } = await readSheetRows(item.path, folders.watched, options)
    // The next scan sees the change.
    if (sha256 !== item.sha256) return
    for (const row of rows) {
      const earlier =
        row.file === null || existsAt(row.file) ? undefined : receiptOf(row, row.file, sha256, folders)
      if (earlier) item.settledRows.set(row.id, earlier)
    }
    item.sheet = { rows }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Interrupted) throw error
    const details = (error.details ?? [])
      .slice(0, 3)
      .map(({ message, path = [] }) => [...path, message].join(': '))
    item.sheet = { why: [error.message, ...details].join('; ') }
  }
}

/** The receipt of a file that an earlier run has moved, if it is about this row of this very sheet. */
function receiptOf({ id }: FileRow, file: string, sheet: string, folders: Folders): RowReceipt | undefined {
  const below = dirname(relative(folders.watched, file))
  for (const folder of [folders.done, folders.failed]) {
    for (const name of namesLike(basename(file))) {
      const path = join(folder, below, receiptFileName(name))
      if (!existsAt(path)) break
      const receipt = readReceipt(path) as (RowReceipt & { readonly sheet?: string }) | undefined
      if (receipt?.from && rowId(receipt.from) === id && receipt.sheet === sheet) return receipt
    }
  }
  return undefined
}
