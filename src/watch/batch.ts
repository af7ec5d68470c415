import { resolve } from 'node:path'
import type { Context } from '../cli/context.ts'
import { exitCodes, Failure, isFatal } from '../system/errors.ts'
import type { Warning } from '../system/warning.ts'
import { emptyReceipt, isFailed, type Receipt, type Result, tallyOf } from '../uploads/receipt.ts'
import { warnOfOutdated } from '../uploads/tell-checkers.ts'
import { applyRows } from './apply-rows.ts'
import type { RowToDo } from './arrange.ts'
import type { EventLog } from './event-log.ts'
import { type Item, pauseAfter, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'
import type { Screen } from './screen.ts'
import type { Availability } from './service.ts'
import type { Settling } from './settling.ts'
import { type UploadHooks, uploadBooks } from './upload-books.ts'

interface BatchOptions {
  readonly context: Context
  readonly options: WatchOptions
  readonly service: Availability
  readonly settling: Settling
  readonly eventLog: EventLog
  readonly screen: Screen
}

/** Uploads some files that are ready, and settles each as it ends. Throws what ends the watcher. */
export async function runBooks(ready: readonly Item[], batch: BatchOptions): Promise<void> {
  const { context, options, screen } = batch
  const begun = new Map(ready.map(item => [item.path, { item, seen: seenOf(item) }]))
  const failures: Failure[] = []
  const files = ready.map(item => ({ ...seenOf(item), sha256: item.sha256 as string }))
  screen.begin(files)
  try {
    const { fatal } = await uploadBooks(context, files, options, {
      ...hooksOf(batch),
      async onResult(result) {
        const path = resolve(result.receipt.file ?? '')
        screen.end(path)
        const known = begun.get(path)
        if (known === undefined) return
        begun.delete(path)
        const { item, seen } = known
        await settleResult(result, [item], batch, failures, async (to, receipt) => {
          await batch.settling.settle(item, to, receipt, { seen })
        })
      },
    })
    await concludeBatch(fatal, failures, batch)
  } finally {
    screen.endAll()
  }
}

/** Plans and carries out rows of sheets, and settles each file as its row ends. Throws what ends the watcher. */
export async function runRows(todo: readonly RowToDo[], batch: BatchOptions): Promise<void> {
  const { context, options, screen, settling } = batch
  const seen = new Map(todo.flatMap(({ files }) => files.map(item => [item, seenOf(item)])))
  const failures: Failure[] = []
  screen.begin([...seen.values()])
  try {
    const fatal = await applyRows(context, todo, options, {
      ...hooksOf(batch),
      onNoFile: ({ sheet, row }) => void sheet.withoutFile.add(row.id),
      async onRow({ sheet, row, files }, result) {
        for (const { path } of files) screen.end(path)
        await settleResult(result, [sheet, ...files], batch, failures, async (to, receipt) => {
          const { from } = row
          const { key = null, file, sha256, publicationId, editionId, outcome, why, error } = receipt
          const facts = { key, file, sha256, publicationId, editionId, outcome, why, error }
          for (const item of files) {
            const own = { ...receipt, file: item.path, sha256: item.sha256 ?? null }
            const more = { seen: seen.get(item) ?? seenOf(item), facts: { from, sheet: sheet.sha256 } }
            await settling.settle(item, to, own, more)
          }
          sheet.settledRows.set(row.id, { from, ...facts })
        })
      },
    })
    await concludeBatch(fatal, failures, batch)
  } catch (error) {
    if (!(error instanceof Failure) || verdictOf({ failure: error }) === 'fatal') throw error
    // The sheet changed, or the service did not answer while the plan was made.
    if (verdictOf({ failure: error }) === 'later') await batch.service.failed(error)
    else for (const sheet of new Set(todo.map(each => each.sheet))) await pause(sheet, error.message, batch)
  } finally {
    screen.endAll()
  }
}

/** Moves a sheet of which every row is settled. */
export async function finishSheet(sheet: Item, { settling }: Pick<BatchOptions, 'settling'>): Promise<void> {
  const rows = [...sheet.settledRows.values()]
  const failed = rows.filter(isFailed).length
  const outcomes = tallyOf(rows as unknown as Receipt[])
  const { bytes } = seenOf(sheet).stamp
  const receipt: Receipt = {
    ...emptyReceipt(sheet.path),
    ...{ sha256: sheet.sha256 ?? null, bytes: Number(bytes) },
    outcome: failed > 0 ? 'failed' : 'skipped',
    why: `its ${rows.length} rows are settled: ${outcomes}`,
    error: failed > 0 ? { code: 'rows_failed', message: `${failed} of ${rows.length} rows failed` } : null,
  }
  await settling.settle(sheet, failed > 0 ? 'failed' : 'done', receipt, { facts: { rows } })
}

function hooksOf({ context, screen, eventLog }: BatchOptions) {
  const sending = new Set<string>()
  return {
    // What can be done about it stands in the receipt.
    onWarning: ({ code, message }: Warning) =>
      screen.withoutLines(() => void context.warn({ code, message })),
    onStep: ((file, step) => {
      screen.step(file, step)
      if (step.step !== 'sending' || sending.has(file)) return
      sending.add(file)
      void eventLog.add({ event: 'sending', file, bytes: step.total })
    }) satisfies UploadHooks['onStep'],
  }
}

/** What ended a batch early, or that the service did not answer. */
async function concludeBatch(
  fatal: Failure | undefined,
  [first]: readonly Failure[],
  { service }: BatchOptions,
): Promise<void> {
  if (fatal && verdictOf({ failure: fatal }) === 'fatal') throw fatal
  const away = first ?? fatal
  if (away && verdictOf({ failure: away }) === 'later') await service.failed(away)
}

/** Does with files what the result says. */
async function settleResult(
  result: Result,
  items: readonly Item[],
  batch: BatchOptions,
  failures: Failure[],
  settle: (to: 'done' | 'failed', receipt: Receipt) => Promise<void>,
): Promise<void> {
  const verdict = verdictOf(result)
  const { failure } = result
  batch.screen.withoutLines(() => void warnOfOutdated(batch.context, [result.receipt]))
  if (verdict === 'done' || verdict === 'failed') {
    await batch.service.answered()
    await settle(verdict, result.receipt)
  }
  if (verdict === 'again') for (const item of items) await pause(item, failure?.message ?? '', batch)
  if (verdict === 'changed') {
    for (const item of items) {
      item.sha256 = undefined
      item.watched = { ...item.watched, since: batch.context.world.clock.monotonic() }
    }
  }
  if (verdict === 'later' && failure) failures.push(failure)
}

/** Leaves a file alone for a while. */
async function pause(item: Item, why: string, { context, options, eventLog }: BatchOptions): Promise<void> {
  item.retryAt = context.world.clock.monotonic() + pauseAfter(item.attempts++, options.scan)
  if (item.said.has(why)) return
  item.said.add(why)
  await eventLog.add({ event: 'retry', file: item.path, why })
}

/**
 * What happens to a file after an attempt: it is moved (`done`, `failed`), it stays and is tried again (`later`: the service
 * did not answer; `changed`: somebody wrote to it; `again`: only this file has to wait), or the watcher ends (`fatal`).
 */
type Verdict = 'done' | 'failed' | 'later' | 'changed' | 'again' | 'fatal'

/** Failures of a file that somebody else has in hand, or that time settles. */
const passing = ['upload_taken', 'not_begun', 'journal_busy', 'stale']

function verdictOf({ failure }: Pick<Result, 'failure'>): Verdict {
  return failure === undefined ? 'done' : verdictOfFailure(failure)
}

function verdictOfFailure(failure: Failure): Verdict {
  const { code, exitCode } = failure
  if (code === 'unreachable' || exitCode === exitCodes.network) return 'later'
  if (passing.includes(code) || exitCode === exitCodes.waitExhausted) return 'again'
  // A key that may not write is no fault of a book.
  if (isFatal(failure) || exitCode === exitCodes.forbidden) return 'fatal'
  if (code === 'file_changed') return 'changed'
  return 'failed'
}
