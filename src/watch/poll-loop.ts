import type { Context } from '../cli/context.ts'
import { Failure } from '../system/errors.ts'
import { restoreSetAside } from '../system/set-aside.ts'
import { type Arranged, arrange } from './arrange.ts'
import { finishSheet, runBooks, runRows } from './batch.ts'
import type { EventLog } from './event-log.ts'
import type { WatchEvent } from './events.ts'
import { isQuiet, observe, type Watched } from './folder/quiet-period.ts'
import { isSameStamp, scanFolder, stampOf } from './folder/scan.ts'
import type { Folders } from './folders.ts'
import { type Item, newItem, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'
import { readFolderSheet } from './read-sheet.ts'
import { readinessOf } from './readiness.ts'
import type { Screen } from './screen.ts'
import { watchService } from './service.ts'
import { openSettling } from './settling.ts'

interface PollLoopOptions {
  readonly context: Context
  readonly folders: Folders
  readonly options: WatchOptions
  readonly eventLog: EventLog
  readonly screen: Screen
  /** Ends the pause between polls. */
  readonly wake: () => void
}

/** Looks through the folder again and again, and begins what is ready. */
export interface PollLoop {
  /** One look. True if nothing is left to do for what was there at the first one. Throws what ends the watcher. */
  poll(): Promise<boolean>
  /** Milliseconds until the next look. */
  pause(): number
  /** Waits until nothing is under way. */
  finish(): Promise<void>
  counts(): NonNullable<WatchEvent['counts']>
  /** How many files failed, or cannot be settled as they are. */
  trouble(): number
}

/** The most files that are begun together. */
const batchSize = 500

export function openPollLoop({
  context,
  folders,
  options,
  eventLog,
  screen,
  wake,
}: PollLoopOptions): PollLoop {
  const { clock, signal, mayRead } = context.world
  const service = watchService(context, eventLog, options)
  const items = new Map<string, Item>()
  const settling = openSettling({ context, folders, eventLog, items })
  const said = new Set<string>()
  let watched: ReadonlyMap<string, Watched> = new Map()
  let batch: Promise<void> | undefined
  let fatal: { error: unknown } | undefined
  let isFolderAway = false
  /** The files of the first look, for `once`. */
  let first: Set<string> | undefined
  let began = clock.monotonic()

  async function look(): Promise<boolean> {
    const { recursive, trigger } = options
    const { excluded } = folders
    try {
      const find = async () => await scanFolder(folders.watched, { recursive, trigger, excluded })
      let scan = await find()
      if (scan.setAside.length > 0) {
        for (const path of scan.setAside) restoreSetAside(path)
        scan = await find()
      }
      if (isFolderAway) await eventLog.add({ event: 'folder-back', file: folders.watched })
      isFolderAway = false
      const seen = observe(watched, scan.files, clock.monotonic())
      watched = seen.watched
      for (const { path, why } of scan.leftAlone)
        await addOnce(path, { event: 'left-alone', file: path, why })
      for (const [path, item] of items) {
        const now = watched.get(path)
        if (now !== undefined) item.watched = { ...item.watched, seen: now.seen }
        else if (!item.isUnderWay) items.delete(path)
      }
      for (const fresh of seen.fresh) {
        const { path } = fresh.seen
        const item = items.get(path)
        if (item?.isUnderWay) item.watched = fresh
        // It was moved away while the folder was looked through.
        else if (item === undefined && first && (await stampOf(path)) === undefined) continue
        else {
          if (item === undefined && fresh.seen.kind !== 'image')
            await eventLog.add({ event: 'found', file: path })
          items.set(path, newItem(fresh))
        }
      }
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (options.once || code === undefined) throw error
      const why = error instanceof Failure ? error.message : code
      if (!isFolderAway) await eventLog.add({ event: 'folder-away', file: folders.watched, why })
      isFolderAway = true
      return false
    }
  }

  async function addOnce(path: string, event: Parameters<EventLog['add']>[0]): Promise<void> {
    const key = `${path}\0${event.why}`
    if (said.has(key)) return
    said.add(key)
    await eventLog.add(event)
  }

  /** What can be begun now. What cannot, and why, is said once. */
  async function ready(): Promise<Arranged> {
    const found = new Set<Item>()
    for (const item of items.values()) {
      const { kind } = seenOf(item)
      if (kind === 'image' || item.isUnderWay || item.settled || item.retryAt > clock.monotonic()) continue
      const readiness = await readinessOf(item, { now: clock.monotonic, signal, mayRead, options })
      if (readiness.is === 'ready') {
        found.add(item)
        item.stuck = undefined
        if (kind === 'sheet' && item.sheet === undefined)
          await readFolderSheet(item, folders, { ...options.rows, signal, mayRead })
      }
      if (readiness.is === 'waiting')
        await addWaiting(item, readiness.why, readiness.isTrouble ? 'trouble' : 'waiting')
      if (item.sheet && 'why' in item.sheet) await addWaiting(item, item.sheet.why, 'trouble')
    }
    const isQuietPath = (path: string) => {
      const known = watched.get(path)
      return known !== undefined && isQuiet(known, clock.monotonic(), options.quietPeriod)
    }
    const arranged = arrange([...items.values()], item => found.has(item), isQuietPath, options.rows.name)
    for (const { item, why } of arranged.waiting) await addWaiting(item, why, 'waiting')
    return arranged
  }

  async function addWaiting(item: Item, why: string, stuck: Item['stuck']): Promise<void> {
    item.stuck = stuck
    if (item.said.has(why)) return
    item.said.add(why)
    await eventLog.add({ event: 'waiting', file: item.path, why })
  }

  /** Begins what is ready: rows of sheets first, because they are what books wait for. */
  async function beginReady(): Promise<void> {
    const { books, rows, finished } = await ready()
    for (const sheet of finished) await finishSheet(sheet, { settling })
    if (rows.length + books.length === 0 || !(await service.isThere())) return
    const shared = { context, options, service, settling, eventLog, screen }
    if (rows.length > 0) {
      const some = rows.slice(0, batchSize)
      const taken = new Set(some.flatMap(({ sheet, files }) => [sheet, ...files]))
      return begin([...taken], async () => await runRows(some, shared))
    }
    const some = books.slice(0, batchSize)
    begin(some, async () => await runBooks(some, shared))
  }

  function begin(taken: readonly Item[], run: () => Promise<void>): void {
    const stamps = new Map(taken.map(item => [item, item.watched.seen.stamp]))
    for (const item of taken) item.isUnderWay = true
    batch = run()
      .catch(error => {
        fatal ??= { error }
      })
      .finally(() => {
        for (const [item, stamp] of stamps) {
          item.isUnderWay = false
          // It has changed meanwhile, so what was found out about it is worth nothing.
          const isOther = !isSameStamp(item.watched.seen.stamp, stamp)
          if (isOther && items.get(item.path) === item) items.set(item.path, newItem(item.watched))
        }
        batch = undefined
        wake()
      })
  }

  /** Whether a file cannot go on as it is. */
  const isStuck = ({ settled, stuck, attempts }: Item): boolean =>
    settled !== undefined || stuck === 'trouble' || attempts > 0

  /** Whether a file of the first look may still become something in this run. */
  const isOpen = (path: string): boolean => {
    const item = items.get(path)
    if (item === undefined) return false
    if (item.isUnderWay) return true
    if (isStuck(item) || item.stuck || seenOf(item).kind === 'image') return false
    // What is being written is left to the next run.
    return item.sha256 !== undefined || clock.monotonic() - began < options.quietPeriod + options.scan
  }

  /** How many files neither are under way nor have an end. */
  const waitingCount = (): number =>
    [...items.values()].filter(
      item => seenOf(item).kind !== 'image' && !item.isUnderWay && item.settled === undefined,
    ).length

  return {
    async poll() {
      if (fatal) throw fatal.error
      if (!(await look())) return false
      if (first === undefined) {
        first = new Set(items.keys())
        began = clock.monotonic()
      }
      await settling.retry([...items.values()])
      screen.show(waitingCount(), settling.counts())
      if (batch === undefined) {
        await beginReady()
        const failure = batch === undefined && options.once ? service.failure() : undefined
        if (failure) throw failure
      }
      return batch === undefined && ![...first].some(isOpen)
    },
    pause() {
      const now = clock.monotonic()
      const open = [...items.values()].filter(item => !item.isUnderWay && !item.settled)
      const due = open
        .map(({ watched: { since }, retryAt }) => Math.max(since + options.quietPeriod, retryAt))
        .filter(at => at > now)
      const next = Math.min(options.scan, ...due.map(at => at - now))
      return Math.max(20, next)
    },
    async finish() {
      await batch
    },
    counts: () => ({
      ...settling.counts(),
      waiting: waitingCount(),
    }),
    trouble: () => settling.counts().failed + [...items.values()].filter(isStuck).length,
  }
}
