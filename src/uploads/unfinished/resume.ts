import type { Context } from '../../cli/context.ts'
import { stepView } from '../../cli/output/dry-run-views.ts'
import { Failure, withHint } from '../../system/errors.ts'
import { callerOf } from '../batch/caller.ts'
import { readJournal } from '../batch/journal.ts'
import type { BatchRow, RunOptions } from '../batch/options.ts'
import { receiptView } from '../batch/receipt-view.ts'
import { runTasks } from '../batch/run-tasks.ts'
import { showFiles } from '../batch/show-files.ts'
import { showStep } from '../dry-run.ts'
import { readQueued } from '../file-options.ts'
import { openedEpubCheck } from '../opened-epubcheck.ts'
import { readyOfEntry, resumeTasks } from '../upload-files.ts'
import { journalView } from './journal-view.ts'
import { type Found, namedUploads, unfinishedUploads } from './unfinished.ts'

/** Continues the uploads of the journal with these ids, or else all that are unfinished, and shows what became of them. */
export async function resume(context: Context, ids: readonly string[], options: RunOptions): Promise<void> {
  const { dryRun } = context.options
  await context.check(dryRun ? stepView : receiptView)
  const found = await foundUploads(context, ids)
  if (dryRun) return await showResumed(context, found)
  if (found.entries.length + found.queued.length === 0)
    return await context.list({ ...receiptView, empty: journalView.empty }, [[]])
  await resumeUploads(context, options, { ...found, isList: ids.length !== 1 })
}

async function foundUploads(context: Context, ids: readonly string[]): Promise<Found> {
  const journal = await readJournal(context)
  try {
    const caller = await callerOf(context, journal)
    return ids.length > 0
      ? namedUploads(context, journal, ids, caller)
      : await unfinishedUploads(context, journal, caller)
  } finally {
    journal.close()
  }
}

/** Continues uploads of the journal, and begins the files that a batch left in the queue. */
async function resumeUploads(
  context: Context,
  options: RunOptions,
  { entries, queued, isList }: Found & { isList: boolean },
): Promise<void> {
  await mustHaveCheckers(context, queued)
  const rows: BatchRow[] = [
    ...entries.map(({ file }) => ({ file, overrides: {} })),
    ...queued.map(each => readQueued(each).row),
  ]
  await runTasks(context, options, { rows, isList }, transfer => resumeTasks({ entries, queued }, transfer))
}

/** Records the steps of the same uploads and files for `--dry-run`; throws all failures at the end. */
async function showResumed(context: Context, { entries, queued }: Found): Promise<void> {
  await mustHaveCheckers(context, queued)
  for (const entry of entries) await showStep(context, readyOfEntry(entry))
  if (queued.length === 0) return
  const files = queued.map(({ editionOf, queuedAt, ...each }) => ({
    ...{ ...readQueued(each), editionOf, batchBegan: queuedAt },
  }))
  await showFiles(context, files, { isInBatch: true })
}

/** Throws UsageFailure `checker_missing` if books were begun with EPUBCheck, and it is not installed here. */
async function mustHaveCheckers(context: Context, queued: Found['queued']): Promise<void> {
  if (!queued.some(each => readQueued(each).options.epubcheck)) return
  try {
    await openedEpubCheck(context)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'checker_missing') throw error
    throw withHint(
      error,
      'These uploads were begun with --epubcheck. Install the package: npm install --global epubcheck-standalone@latest. To leave one out: pubctl uploads forget <id>',
    )
  }
}
