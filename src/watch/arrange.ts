import { basename, sep } from 'node:path'
import { findAmong } from '../catalogue/sources/book-folders.ts'
import type { NamePattern } from '../plan/name-pattern.ts'
import type { FileRow } from './folder/sheet-rows.ts'
import { type Item, seenOf } from './item.ts'

/** A row that can be carried out, and the files that it is about. */
export interface RowToDo {
  readonly sheet: Item
  readonly row: FileRow
  readonly files: readonly Item[]
}

/** What can be begun now. */
export interface Arranged {
  /** Books that no sheet is about. */
  readonly books: readonly Item[]
  readonly rows: readonly RowToDo[]
  /** Sheets of which every row is settled. */
  readonly finished: readonly Item[]
  /** What is left, and what it waits for. */
  readonly waiting: readonly { readonly item: Item; readonly why: string }[]
}

/** A sheet that was read. */
const rowsOf = ({ sheet }: Item): readonly FileRow[] | undefined =>
  sheet && 'rows' in sheet ? sheet.rows : undefined

/**
 * Sorts out which files go with which row of a sheet, and which go alone. A book beside a sheet that was not read yet waits,
 * because the sheet may be its metadata. Pure.
 */
export function arrange(
  items: readonly Item[],
  isReady: (item: Item) => boolean,
  isStill: (path: string) => boolean,
  name: NamePattern,
): Arranged {
  const books = items.filter(item => seenOf(item).kind === 'book')
  const sheets = items.filter(item => seenOf(item).kind === 'sheet')
  const byPath = new Map(books.map(item => [item.path, item]))
  const find = finder(books, name)
  const claimed = new Set<string>()
  const rows: RowToDo[] = []
  const finished: Item[] = []
  const waiting: { item: Item; why: string }[] = []
  for (const sheet of sheets) {
    const all = rowsOf(sheet)
    if (all === undefined) continue
    const isPaused = sheet.settled !== undefined || !isReady(sheet)
    const open = all.filter(({ id }) => !sheet.settledRows.has(id))
    let missing = 0
    for (const row of open) {
      const paths = row.file === null ? find(row) : [row.file]
      const files = paths.flatMap(path => byPath.get(path) ?? [])
      for (const { path } of files) claimed.add(path)
      const isHere = row.file === null ? files.length > 0 || !sheet.withoutFile.has(row.id) : files.length > 0
      const hasCover = row.cover === null || isStill(row.cover)
      const isDue = row.refused !== null || (isHere && hasCover && files.every(isReady))
      if (isDue && !isPaused) rows.push({ sheet, row, files })
      else {
        if (!isDue) missing++
        // A file that is there waits for the rest of its row.
        const reason = hasCover ? 'waits' : `waits for the cover ${row.cover}`
        const why = `its row in ${basename(sheet.path)} ${isDue ? 'is tried again later' : reason}`
        for (const item of files) if (isReady(item)) waiting.push({ item, why })
      }
    }
    if (open.length === 0 && !isPaused) finished.push(sheet)
    else if (missing > 0)
      waiting.push({ item: sheet, why: `${missing} of ${all.length} rows wait for their files` })
  }
  const unread = sheets.filter(sheet => rowsOf(sheet) === undefined && !sheet.settled)
  const alone: Item[] = []
  for (const book of books) {
    if (!isReady(book) || claimed.has(book.path)) continue
    const before = unread.find(sheet => isBeside(book, sheet))
    if (before === undefined) alone.push(book)
    else waiting.push({ item: book, why: `${basename(before.path)} may be about it, and was not read yet` })
  }
  return { books: alone, rows, finished, waiting }
}

/** Whether a book is in the folder of a sheet, or further down. */
function isBeside(book: Item, sheet: Item): boolean {
  const [inside, folder] = [seenOf(book).below, seenOf(sheet).below]
  return folder === '' || inside === folder || inside.startsWith(`${folder}${sep}`)
}

/** Finds the books of rows that name no file. */
function finder(books: readonly Item[], pattern: NamePattern): (row: FileRow) => string[] {
  const files = books.map(item => {
    const { path, name } = seenOf(item)
    return { folder: path.slice(0, -name.length - 1), name }
  })
  const find = findAmong(files, pattern)
  return ({ named }) => (named === null ? [] : find(named))
}
