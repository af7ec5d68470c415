import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { planFiles } from '../dry-run.ts'
import { type FileOptions, isLookedUp } from '../file-options.ts'
import { noTitleInBatch } from '../prepare.ts'
import { uploadTasks } from '../upload-files.ts'
import { callerOf } from './caller.ts'
import { summariseDryRun } from './job-summary.ts'
import { orMemoryJournal, readJournal } from './journal.ts'
import { type Batch, isMany, type RunOptions } from './options.ts'
import { askForTitle, prepareOne } from './prepare-one.ts'
import { mayRepeatOf, offerContentKey } from './questions.ts'
import { runTasks } from './run-tasks.ts'
import { showStep } from './show-step.ts'

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
  // A single file is prepared before anything is opened, so that its problems are the command's own failure.
  const [first] = rows
  const prepared = first && !isMany(batch) ? await prepareOne(context, first, options) : undefined
  await runTasks(context, options, { ...batch, again: rows }, (transfer, progress) => {
    const isAsked = context.ask.isPossible && !isLookedUp(options)
    const mayRepeat = isAsked ? mayRepeatOf(context.ask, rows.length, progress) : undefined
    return uploadTasks({ rows, options, editionOf, prepared, mayRepeat }, transfer)
  })
}

/** Records the step of every file for `--dry-run`; throws all failures at the end. */
async function planAll(
  context: Context,
  batch: Batch & { readonly rows: readonly WantedFile[] },
  options: RunOptions & FileOptions,
  editionOf: string | null,
): Promise<void> {
  const { rows } = batch
  const { clock, signal } = context.world
  const journal = await orMemoryJournal(context, readJournal)
  try {
    const failures = await planFiles({
      ...{ rows, isMany: isMany(batch), options, editionOf, journal, clock, signal },
      caller: await callerOf(context, journal),
      call: context.call,
      askTitle: isMany(batch) ? noTitleInBatch : path => askForTitle(context, path),
      onWarning: warning => void context.warn(warning),
      onStep: (decision, requests) => showStep(context, decision, requests),
    })
    if (options.summary !== undefined) await summariseDryRun(context, options.summary, failures)
    if (failures.length > 0) throw partFailed(failures, rows.length)
  } finally {
    journal.close()
  }
}
