import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { Failure, Interrupted } from '../../system/errors.ts'
import { rest } from '../../system/rest.ts'
import type { Warning } from '../../system/warning.ts'
import { showStep } from '../dry-run.ts'
import { receiptOf } from '../execute.ts'
import { isLookedUp } from '../file-options.ts'
import { type FileWork, openFileSteps } from '../file-steps.ts'
import type { Hash } from '../reading/reading.ts'
import type { Receipt } from '../receipt.ts'
import { tellCheckers } from '../tell-checkers.ts'
import { callerOf } from './caller.ts'
import { summariseDryRun } from './job-summary.ts'
import { orMemoryJournal, readJournal } from './journal.ts'
import { prepareOne } from './prepare-one.ts'

/** A file whose step is shown; `batchBegan` is now if it is not said. */
type ShownFile = Pick<FileWork, 'row' | 'options' | 'editionOf'> & Partial<Pick<FileWork, 'batchBegan'>>

/** Records the step of every file for `--dry-run` instead of carrying it out; throws all failures at the end. */
export async function showFiles(
  context: Context,
  files: readonly ShownFile[],
  { isInBatch, summary }: { readonly isInBatch: boolean; readonly summary?: string | undefined },
): Promise<void> {
  const { clock, signal, mayRead } = context.world
  const onWarning = (warning: Warning) => void context.warn(warning)
  const journal = await orMemoryJournal(context, readJournal)
  try {
    const now = <T>(work: () => Promise<T>) => work()
    const steps = openFileSteps({
      rows: files.map(({ row }) => row),
      isSearched: files.some(({ options }) => isLookedUp(options)),
      ...{ journal, caller: await callerOf(context, journal), call: context.call },
      ...{ limits: { read: now, ask: now }, signal, mayRead, onWarning },
    })
    const batchBegan = clock.now()
    const failures: { id: string; failure: Failure }[] = []
    for (const [index, file] of files.entries()) {
      await rest(signal)
      const prepare = async (hash: Hash) =>
        (await prepareOne(context, file.row, file.options, { isInBatch, hash })).plan
      try {
        await steps.next({ batchBegan, ...file, index, prepare }, async ready => {
          await showStep(context, ready)
          return { receipt: receiptOf(ready), failure: undefined }
        })
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof Interrupted || !isInBatch) throw error
        failures.push({ id: file.row.file, failure: error })
      }
    }
    const failed = failures.map(({ failure }) => failure)
    await tellCheckers(context, [...(context.steps as readonly Pick<Receipt, 'checkedBy'>[]), ...failed])
    if (summary !== undefined) await summariseDryRun(context, summary, failures)
    if (failures.length > 0) throw partFailed(failures, files.length)
  } finally {
    journal.close()
  }
}
