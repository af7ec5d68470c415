import type { Context } from '../../cli/context.ts'
import { decideBegun } from '../../plan/decide.ts'
import type { BatchRow, RunOptions } from '../batch/options.ts'
import { runTasks } from '../batch/run-tasks.ts'
import { readQueued } from '../file-options.ts'
import { begunOf } from '../lookup/gather.ts'
import { resumeTasks } from '../upload-files.ts'
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

/** Records for `--dry-run` which uploads would be continued, and which files begun. */
export function showResumed(context: Context, { entries, queued }: Found): void {
  for (const entry of entries) {
    const { file, bytes, sha256, stage, creation } = entry
    const before = context.planned.length
    context.plan({
      method: stage === 'sent' ? 'GET' : 'PUT',
      url: `(where ${file} goes)`,
      body: { file, bytes, stage },
    })
    const step = decideBegun(begunOf(entry, null, false))
    context.planStep({ file, bytes, sha256, type: creation.edition.type, stage, ...step }, before)
  }
  for (const { file, uploadRequestId, editionOf } of queued) {
    const before = context.planned.length
    context.plan({ method: 'PUT', url: `(where ${file} goes)`, body: { file, bytes: null, stage: 'queued' } })
    const why = 'its batch was interrupted before it was begun'
    const action = editionOf === null ? 'create' : 'edition'
    const step = { action, file, stage: 'queued', why, uploadRequestId, publicationId: editionOf }
    context.planStep(step, before)
  }
}
