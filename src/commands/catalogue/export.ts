import { isIsbn } from '../../books/isbn.ts'
import { type KnownPublications, knownPublications } from '../../catalogue/known-publications.ts'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { requestView } from '../../cli/output/dry-run-views.ts'
import { neutralise, neutraliseJson } from '../../cli/output/neutralise.ts'
import type { View } from '../../cli/output/view.ts'
import { exportedPublication } from '../../plan/exported.ts'
import { csvMark } from '../../system/csv-mark.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import { checkWritable, writeLines } from '../../system/write-file.ts'
import {
  type SheetFormat,
  sheetFormatOf,
  sheetWriter,
  type WrittenRow,
  writtenColumns,
  writtenRow,
} from '../../uploads/inputs/sheet/write-sheet.ts'

const rowView: View = {
  columns: writtenColumns.map(field => ({ field })),
  fields: () => new Set([...writtenColumns, 'metadata.*']),
  empty: 'There are no publications.',
}

const fileView: View = {
  columns: [{ field: 'file' }, { field: 'publications', kind: 'count' }, { field: 'leftOut', kind: 'count' }],
  fields: () => new Set(['file', 'publications', 'leftOut']),
}

/** Writes all publications to a sheet, or to standard output without `out`. What cannot be said in it is named at the end. */
export async function exportSheet(context: Context, out: string | undefined): Promise<void> {
  const { fields, query, dryRun } = context.options
  await context.check(out === undefined ? rowView : dryRun ? requestView : fileView)
  if (out !== undefined) {
    checkWritable(out)
    if (dryRun) return await context.list(requestView, [[{ method: 'WRITE', url: `file:${out}` }]])
  }
  const known = await knownPublications(context)
  try {
    const isRecords = context.format === 'json' || context.format === 'ndjson' || fields || query
    const format = out !== undefined ? sheetFormatOf(out) : isRecords ? 'json' : 'csv'
    const rows = exportedRows(known, format, out === undefined ? printable : undefined)
    if (out !== undefined) {
      const { row, start, end } = await sheetWriter(format, neutraliseJson)
      const mark = format === 'csv' ? csvMark : ''
      writeLines(out, rows.lines(mark + start, row, end), { isPrivate: false, isDurable: true })
      await context.item(fileView, { file: out, publications: rows.count(), leftOut: rows.leftOut.length })
    } else if (isRecords) await context.list(rowView, rows.pages())
    else await printSheet(context, rows)
    await warnOfLeftOut(context, rows.leftOut)
    const failures = [...unreadIn(known), ...rows.lost.map(lostIn)]
    if (failures.length > 0) throw partFailed(failures, known.index.size)
  } finally {
    known.close()
  }
}

type Rows = ReturnType<typeof exportedRows>

/** The rows of all publications, and what is left out of them; each can be gone through once. */
function exportedRows(
  { index }: KnownPublications,
  format: SheetFormat,
  printable: ((text: string) => string | undefined) | undefined,
) {
  const leftOut: string[] = []
  const lost: { readonly id: string; readonly columns: readonly string[] }[] = []
  let count = 0
  function* each(): Generator<WrittenRow['cells']> {
    for (const publication of index.all()) {
      const exported = exportedPublication(publication, isIsbn)
      if (exported === undefined) {
        leftOut.push(publication.publicationId)
        continue
      }
      const { publicationId, values } = exported
      const written = writtenRow(publicationId, values, format, printable)
      const columns = [...exported.lost, ...written.lost]
      if (columns.length > 0) lost.push({ id: publicationId, columns })
      count++
      yield written.cells
    }
  }
  return {
    leftOut,
    lost,
    count: () => count,
    *pages(size = 200): Generator<WrittenRow['cells'][]> {
      let page: WrittenRow['cells'][] = []
      for (const cells of each()) {
        page.push(cells)
        if (page.length < size) continue
        yield page
        page = []
      }
      yield page
    },
    *lines(
      start: string,
      row: (cells: WrittenRow['cells'], isFirst: boolean) => string,
      end: (isEmpty: boolean) => string,
    ) {
      yield start
      let isFirst = true
      for (const cells of each()) {
        yield row(cells, isFirst)
        isFirst = false
      }
      yield end(isFirst)
    },
  }
}

/** The text of a cell on standard output, which may be a terminal; undefined where escapes would change it. */
function printable(text: string): string | undefined {
  const plain = text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ')
  return neutralise(plain) === plain ? plain : undefined
}

async function printSheet({ out }: Context, rows: Rows): Promise<void> {
  const { start, row } = await sheetWriter('csv', neutraliseJson)
  await out.escaped(start)
  for (const page of rows.pages()) {
    await out.escaped(page.map(cells => row(cells, false)).join(''))
    if (out.isClosed) return
  }
}

async function warnOfLeftOut(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const shown = ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ')
  await context.warn({
    code: 'without_book',
    message: `all uploads of ${shown} have failed, so ${ids.length === 1 ? 'it has' : 'they have'} no row`,
  })
}

const unreadIn = ({ refreshed }: KnownPublications) =>
  refreshed.unread.map(({ publicationId, failure }) => ({ id: publicationId, failure }))

const lostIn = ({ id, columns }: Rows['lost'][number]) => ({
  id,
  failure: new Failure(`the sheet cannot say its ${columns.join(', ')} exactly, and leaves it out`, {
    code: 'not_in_sheet',
    exitCode: exitCodes.partFailed,
    hint: 'A sheet in JSON says more: --out books.json',
  }),
})
