import { type FSWatcher, watch } from 'node:fs'
import type { Context } from '../cli/context.ts'
import { counted } from '../system/counted.ts'
import { exitCodes, Failure, Interrupted } from '../system/errors.ts'
import { removeLeftDraftsWithin } from '../system/left-drafts.ts'
import { networkFileSystem } from '../system/network-file-system.ts'
import type { Clock } from '../system/world.ts'
import { uploadRows } from '../uploads/batch/upload-rows.ts'
import { planRows } from './apply-rows.ts'
import { arrange } from './arrange.ts'
import { type EventLog, isStreamed, openEventLog } from './event-log.ts'
import { eventView } from './events.ts'
import { lockFolder } from './folder/lock.ts'
import { observe } from './folder/quiet-period.ts'
import { scanFolder } from './folder/scan.ts'
import { type Folders, foldersOf } from './folders.ts'
import { newItem, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'
import { openPollLoop } from './poll-loop.ts'
import { readFolderSheet } from './read-sheet.ts'
import { readinessOf } from './readiness.ts'
import { openScreen } from './screen.ts'

/** Watches a folder and uploads what is put into it, until it is stopped or, with `once`, until what is there is settled. */
export async function watchFolder(context: Context, folder: string, options: WatchOptions): Promise<void> {
  const folders = foldersOf(folder, options)
  if (context.options.dryRun) return await showWatched(context, folders, options)
  const lock = await lockFolder(folders.watched, context.world.clock)
  if (lock.left)
    for (const each of [folders.done, folders.failed]) await removeLeftDraftsWithin(each, lock.left.mark)
  const screen = openScreen(context)
  const eventLog = openEventLog(context, folders.watched, screen.withoutLines)
  const stopShowing = context.waiting.showIn(screen.waiting)
  try {
    await watchLocked(context, folders, { ...options, lock, screen, eventLog })
  } finally {
    stopShowing()
    screen.stop()
    lock.release()
    if (!isStreamed(context)) await context.list(eventView, [eventLog.events])
  }
}

interface Watching extends WatchOptions {
  readonly lock: Awaited<ReturnType<typeof lockFolder>>
  readonly screen: ReturnType<typeof openScreen>
  readonly eventLog: EventLog
}

async function watchLocked(context: Context, folders: Folders, watching: Watching): Promise<void> {
  const { world } = context
  const { lock, screen, eventLog, ...options } = watching
  const network = await networkFileSystem(folders.watched, world.platform)
  const wakeUp = openWakeUp(
    folders.watched,
    { isLocal: network === undefined, recursive: options.recursive },
    world.clock,
  )
  const pollLoop = openPollLoop({ context, folders, options, eventLog, screen, wake: wakeUp.wake })
  try {
    await eventLog.add({
      event: 'watching',
      file: folders.watched,
      ...(network !== undefined && {
        why: `it is on a network file system (${network}), so it is only scanned`,
      }),
    })
    for (;;) {
      lock.renew()
      const isSettled = await pollLoop.poll()
      if (options.once && isSettled) break
      await wakeUp.wait(pollLoop.pause(), world.signal)
    }
  } catch (error) {
    if (error instanceof Interrupted || world.signal.aborted) {
      await pollLoop.finish()
      await eventLog.add({ event: 'stopped', counts: pollLoop.counts() })
    }
    throw error
  } finally {
    wakeUp.close()
    await pollLoop.finish()
  }
  await eventLog.add({ event: 'stopped', counts: pollLoop.counts() })
  const trouble = pollLoop.trouble()
  if (trouble > 0) throw someFailed(trouble, folders)
}

const someFailed = (count: number, { failed }: Folders): Failure =>
  new Failure(`${counted(count, 'file')} could not be settled`, {
    code: 'part_failed',
    exitCode: exitCodes.partFailed,
    hint: `What failed is in ${failed}, each with a receipt that says why; what is not complete stayed where it was.`,
  })

/** Waits between scans, and is woken earlier by the system where something changes in the folder. */
interface WakeUp {
  /** Resolves after so many milliseconds, or earlier; throws the signal's reason. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Ends the wait that is going on, or the next one. */
  wake(): void
  close(): void
}

/** After a change is told, others are waited for so long, in milliseconds: a program that writes changes a file many times. */
const debounced = 100

/** `isLocal`: the system tells of changes. It may tell too much or nothing, so what a scan finds is what counts. */
function openWakeUp(
  folder: string,
  { isLocal, recursive }: { isLocal: boolean; recursive: boolean },
  clock: Clock,
): WakeUp {
  let isWoken = false
  let endWait = () => {}
  const wake = () => {
    isWoken = true
    endWait()
  }
  const watcher = isLocal ? watching(folder, recursive, wake) : undefined
  return {
    wake,
    async wait(milliseconds, signal) {
      signal.throwIfAborted()
      if (!isWoken) {
        const stop = new AbortController()
        endWait = () => stop.abort()
        const either = AbortSignal.any([stop.signal, signal])
        await clock.sleep(milliseconds, either).catch(() => undefined)
        endWait = () => {}
        signal.throwIfAborted()
      }
      if (isWoken) await clock.sleep(Math.min(debounced, milliseconds), signal)
      isWoken = false
    },
    close: () => watcher?.close(),
  }
}

/** The system may have no more watches to give, or not know how to watch folders within: then only scans find files. */
function watching(folder: string, recursive: boolean, wake: () => void): FSWatcher | undefined {
  try {
    const isDeep = recursive && process.platform !== 'linux'
    const watcher = watch(folder, { recursive: isDeep, persistent: false }, (_, name) => {
      // The lock of the watcher itself is such a file.
      if (!name?.startsWith('.')) wake()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}

/** Records for `--dry-run` what would be uploaded of what is there now. Nothing is moved. */
async function showWatched(context: Context, folders: Folders, options: WatchOptions): Promise<void> {
  const { clock, signal, mayRead } = context.world
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
    const readiness = await readinessOf(item, { now: clock.monotonic, signal, mayRead, options })
    if (readiness.is === 'ready') {
      ready.add(item)
      if (kind === 'sheet') await readFolderSheet(item, folders, { ...options.rows, signal, mayRead })
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
    const { steps } = await planRows(context, new Map(rows.map(each => [each.row.id, each])), options)
    for (const step of steps) context.planStep(step, context.planned.length)
  }
  const wanted = books.map(({ path }) => ({ file: path, overrides: {} }))
  if (wanted.length > 0)
    await uploadRows(context, { rows: wanted, isList: true, isBatch: true }, options, null)
}
