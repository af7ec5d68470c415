import { basename, resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { type BatchProgress, createBatchProgress, silentBatch } from '../../cli/output/batch-progress.ts'
import { exitCodes } from '../../system/errors.ts'
import { stat } from '../../system/files.ts'
import { type BatchOutcome, runBatch, type Task } from '../batch.ts'
import type { LocalJournal } from '../journal/local-journal.ts'
import { endOf, receiptName } from '../receipt.ts'
import type { TransferContext } from '../transfer-context.ts'
import { conclude, isStreaming } from './conclude.ts'
import { openUploads } from './open-uploads.ts'
import { type Batch, type BatchRow, isMany, type RunOptions } from './options.ts'
import { viewOf } from './receipt-view.ts'
import { withoutSecrets } from './show-receipts.ts'

/** Runs one task for each row of a batch, with progress, and shows the results. */
export async function runTasks(
  context: Context,
  options: RunOptions,
  batch: Batch,
  tasksFor: (transfer: TransferContext<LocalJournal>, many: BatchProgress) => Task[],
): Promise<void> {
  const { showsProgress, progressWriter, world, progress } = context
  const { rows, isList } = batch
  const isBatch = isMany(batch)
  const one = isBatch || !showsProgress ? undefined : await progress()
  const many =
    isBatch && showsProgress
      ? createBatchProgress(progressWriter, world.clock, await sizesOf(rows))
      : silentBatch
  const stopShowing = isBatch
    ? context.waiting.showIn(many.waiting)
    : context.waiting.showIn(text => text !== undefined && one?.state(text))
  let outcome: BatchOutcome
  try {
    const opened = await openUploads(
      context,
      { ...options, files: rows.length },
      {
        onStep(file, step) {
          if (step.step === 'state') one?.state(`${basename(file)}: ${step.text}`)
          else if (step.sent === 0) one?.sending(basename(file), step.total)
          else one?.sent(step.sent)
          if (step.step === 'sending') many.sent(file, step.sent)
        },
        onWarning: warning => many.withoutLine(() => void context.warn(warning)),
      },
    )
    try {
      outcome = await runBatch(tasksFor(opened.transfer, many), {
        underWay: opened.underWay,
        stopOnError: options.stopOnError === true,
        halt: opened.halt,
        signal: world.signal,
        async onResult({ receipt }) {
          if (isBatch && receipt.error)
            receipt.error = { ...receipt.error, batchExitCode: exitCodes.partFailed }
          const { error } = receipt
          many.finished({ name: receiptName(receipt), path: pathOf(receipt) }, endOf(receipt), error?.message)
          if (isList && isStreaming(context))
            await context.list(viewOf(batch), [[withoutSecrets(context, receipt)]])
        },
      })
    } finally {
      await opened.close()
    }
  } finally {
    stopShowing()
    one?.stop()
    many.stop()
  }
  await conclude(context, options, batch, outcome)
}

/** The path by which the progress knows a file; steps without a file have none. */
const pathOf = ({ file }: BatchRow): string => (file === null ? '' : resolve(file))

/** How much is sent of each file or step; 0 for a missing file. */
async function sizesOf(rows: readonly BatchRow[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const bytes = await Promise.all(rows.map(async row => row.bytes ?? (await sizeOf(row.file))))
  for (const [index, row] of rows.entries()) {
    const path = pathOf(row)
    if (path !== '' && !sizes.has(path)) sizes.set(path, bytes[index] ?? 0)
    else sizes.set(`step ${index}`, 0)
  }
  return sizes
}

const sizeOf = async (file: string | null): Promise<number> =>
  (file === null ? undefined : await stat(file).catch(() => undefined))?.size ?? 0
