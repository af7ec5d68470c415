import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { Failure, Interrupted } from '../../system/errors.ts'
import type { Warning } from '../../system/warning.ts'
import { showStep } from '../dry-run.ts'
import { receiptOf } from '../execute.ts'
import { type FileOptions, isLookedUp } from '../file-options.ts'
import { openFileSteps } from '../file-steps.ts'
import type { Hash } from '../reading/reading.ts'
import { uploadTasks } from '../upload-files.ts'
import { callerOf } from './caller.ts'
import { summariseDryRun } from './job-summary.ts'
import { orMemoryJournal, readJournal } from './journal.ts'
import { type Batch, isMany, type RunOptions } from './options.ts'
import { prepareOne } from './prepare-one.ts'
import { mayRepeatOf, offerContentKey } from './questions.ts'
import { runTasks } from './run-tasks.ts'

/** Uploads the files of a batch, each as a publication of its own, or the one file as an edition of a publication. */
export async function uploadRows(
  context: Context,
  batch: Batch & { readonly rows: readonly WantedFile[] },
  options: RunOptions & FileOptions,
  editionOf: string | null,
): Promise<void> {
  const { rows } = batch
  if (context.options.dryRun) return await planAll(context, batch, options, editionOf)
  if (isLookedUp(options) && context.ask.isPossible) await offerContentKey(context)
  const hashIfSearched: Hash = async (_, compute) =>
    isLookedUp(options) ? await compute(context.world.signal) : null
  // A single file is prepared before anything is opened, so that its problems are the command's own failure.
  const [first] = rows
  const prepared =
    first && !isMany(batch) ? await prepareOne(context, first, options, { hash: hashIfSearched }) : undefined
  await runTasks(context, options, { ...batch, again: rows }, (transfer, progress) => {
    const isAsked = context.ask.isPossible && !isLookedUp(options)
    const mayRepeat = isAsked ? mayRepeatOf(context.ask, rows.length, progress) : undefined
    return uploadTasks({ rows, options, editionOf, prepared, mayRepeat }, transfer)
  })
}

/** Records the step of every file for `--dry-run` instead of carrying it out; throws all failures at the end. */
async function planAll(
  context: Context,
  batch: Batch & { readonly rows: readonly WantedFile[] },
  options: RunOptions & FileOptions,
  editionOf: string | null,
): Promise<void> {
  const rows: readonly WantedFile[] = batch.rows
  const { clock, signal } = context.world
  const onWarning = (warning: Warning) => void context.warn(warning)
  const journal = await orMemoryJournal(context, readJournal)
  try {
    const now = <T>(work: () => Promise<T>) => work()
    const steps = openFileSteps({
      ...{ rows, isSearched: isLookedUp(options), journal, caller: await callerOf(context, journal) },
      ...{ call: context.call, limits: { read: now, ask: now }, clock, signal, onWarning },
    })
    const batchBegan = clock.now()
    const failures: { id: string; failure: Failure }[] = []
    for (const [index, row] of rows.entries()) {
      const prepare = async (hash: Hash) =>
        (await prepareOne(context, row, options, { isInBatch: isMany(batch), hash })).plan
      try {
        await steps.next({ row, index, options, editionOf, batchBegan, prepare }, async ready => {
          await showStep(context, ready)
          return { receipt: receiptOf(ready), failure: undefined }
        })
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof Interrupted || !isMany(batch)) throw error
        failures.push({ id: row.file, failure: error })
      }
    }
    if (options.summary !== undefined) await summariseDryRun(context, options.summary, failures)
    if (failures.length > 0) throw partFailed(failures, rows.length)
  } finally {
    journal.close()
  }
}
