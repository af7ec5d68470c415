import type { Context } from '../cli/context.ts'
import { uploadRows } from '../uploads/batch/upload-rows.ts'
import { planRows } from './apply-rows.ts'
import { arrange } from './arrange.ts'
import { observe } from './folder/quiet-period.ts'
import { scanFolder } from './folder/scan.ts'
import type { Folders } from './folders.ts'
import { newItem, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'
import { readFolderSheet } from './read-sheet.ts'
import { readinessOf } from './readiness.ts'

/** Records for `--dry-run` what would be uploaded of what is there now. Nothing is moved. */
export async function showWatched(context: Context, folders: Folders, options: WatchOptions): Promise<void> {
  const { clock, signal } = context.world
  const { excluded } = folders
  const look = async () => await scanFolder(folders.watched, { ...options, excluded })
  const first = observe(new Map(), (await look()).files, clock.monotonic())
  await clock.sleep(options.quietPeriod, signal)
  const { watched } = observe(first.watched, (await look()).files, clock.monotonic())
  const items = [...watched.values()].map(newItem)
  const ready = new Set<object>()
  for (const item of items) {
    const { kind, path } = seenOf(item)
    if (kind === 'image') continue
    const readiness = await readinessOf(item, { now: clock.monotonic, signal, options })
    if (readiness.is === 'ready') {
      ready.add(item)
      if (kind === 'sheet') await readFolderSheet(item, folders, { ...options.rows, signal })
    } else {
      const why = readiness.is === 'waiting' ? readiness.why : 'it is being written'
      await context.warn({ code: 'not_ready', message: `${path} is left: ${why}` })
    }
    if (item.sheet && 'why' in item.sheet)
      await context.warn({ code: 'bad_manifest', message: `${path} is left: ${item.sheet.why}` })
  }
  const { books, rows, waiting } = arrange(
    items,
    item => ready.has(item),
    path => watched.has(path),
    options.rows.name,
  )
  for (const { item, why } of waiting)
    await context.warn({ code: 'not_ready', message: `${item.path} is left: ${why}` })
  if (rows.length > 0) {
    const { steps } = await planRows(context, new Map(rows.map(each => [each.row.id, each])), options.rows)
    for (const step of steps) context.planStep(step, context.planned.length)
  }
  const wanted = books.map(({ path }) => ({ file: path, overrides: {} }))
  if (wanted.length > 0)
    await uploadRows(context, { rows: wanted, isList: true, isBatch: true }, options, null)
}
