import type { Context } from '../../cli/context.ts'
import type { BatchRow, RunOptions } from '../batch/options.ts'
import { runTasks } from '../batch/run-tasks.ts'
import { showFiles } from '../batch/show-files.ts'
import { showStep } from '../dry-run.ts'
import { readQueued } from '../file-options.ts'
import { readyOfEntry, resumeTasks } from '../upload-files.ts'
import type { Found } from './unfinished.ts'

/** Continues uploads of the journal, and begins the files that a batch left in the queue. */
export async function resumeUploads(
  context: Context,
  options: RunOptions,
  { entries, queued, isList }: Found & { isList: boolean },
): Promise<void> {
  const rows: BatchRow[] = [
    ...entries.map(({ file }) => ({ file, overrides: {} })),
    ...queued.map(each => readQueued(each).row),
  ]
  await runTasks(context, options, { rows, isList }, transfer => resumeTasks({ entries, queued }, transfer))
}

/** Records the steps of the same uploads and files for `--dry-run`; throws all failures at the end. */
export async function showResumed(context: Context, { entries, queued }: Found): Promise<void> {
  for (const entry of entries) await showStep(context, readyOfEntry(entry))
  if (queued.length === 0) return
  const files = queued.map(({ editionOf, queuedAt, ...each }) => ({
    ...{ ...readQueued(each), editionOf, batchBegan: queuedAt },
  }))
  await showFiles(context, files, { isInBatch: true })
}
