import { divide } from '../batch/divide.ts'
import { summaryFile } from '../batch/job-summary.ts'
import type { RunOptions } from '../batch/options.ts'
import { receiptView } from '../batch/receipt-view.ts'
import { uploadRows } from '../batch/upload-rows.ts'
import { overridesOf } from '../cli/book-options.ts'
import { resolveShard, type ShardChoice } from '../cli/shard-option.ts'
import type { Context } from '../context.ts'
import { UsageFailure } from '../errors.ts'
import { stepView } from '../output/dry-run-views.ts'
import type { Overrides } from '../plan/book-fields.ts'
import { keyOfFile } from '../plan/shard-key.ts'
import type { WantedFile } from '../plan/wanted.ts'
import { expandInputs } from '../sources/inputs.ts'
import { readManifest } from '../sources/manifest.ts'
import type { FileOptions } from '../transfer/file-options.ts'
import { checkReport } from '../transfer/report/index.ts'

interface UploadOptions extends Overrides, FileOptions, Omit<RunOptions, 'summary'> {
  readonly summary?: true | undefined
  readonly manifest?: string | undefined
  readonly encoding?: string | undefined
  readonly recursive?: true | undefined
  readonly shard?: ShardChoice | undefined
}

/** Uploads one file as an edition of a publication. */
export async function uploadEdition(
  context: Context,
  publicationId: string,
  file: string,
  options: Omit<UploadOptions, keyof RunOptions | 'shard' | 'summary'> & Pick<RunOptions, 'wait'>,
): Promise<void> {
  await context.check(context.options.dryRun ? stepView : receiptView)
  const rows = [{ file, overrides: overridesOf(options) }]
  await uploadRows(context, { rows, isList: false }, { ...options, concurrency: 1 }, publicationId)
}

/** Uploads files, folders, the matches of patterns, and the files of a sheet, and shows a receipt for each. */
export async function uploadFiles(
  context: Context,
  inputs: readonly string[],
  options: UploadOptions,
): Promise<void> {
  await context.check(context.options.dryRun ? stepView : receiptView)
  if (options.report !== undefined) checkReport(options.report)
  const overrides = overridesOf(options)
  const { files, isExpanded } = await expandInputs(inputs, options.recursive === true)
  const summary = summaryFile(context, options.summary)
  const shard = options.shard && resolveShard(options.shard, context.world.env)
  const rows: WantedFile[] = files.map(each => ({ ...each, overrides }))
  if (options.encoding !== undefined && options.manifest === undefined) {
    throw new UsageFailure('--encoding belongs to a sheet, and none was given', {
      hint: 'Name the sheet with --manifest, or leave --encoding out.',
    })
  }
  if (options.manifest !== undefined) {
    const { mayRead } = context.world
    for (const row of await readManifest(options.manifest, { encoding: options.encoding, mayRead }))
      rows.push({ ...row, overrides: { ...overrides, ...row.overrides } })
  }
  if (rows.length === 0)
    throw new UsageFailure('no file is named', { hint: 'Name files, or a sheet with --manifest.' })
  if (rows.length > 1 && (options.title !== undefined || options.isbn !== undefined)) {
    throw new UsageFailure('--title and --isbn belong to one book, and several files were given', {
      hint: 'Give each its own in a sheet with --manifest.',
    })
  }
  // Whether one receipt or a list is shown depends on what was asked for, not on how many books a folder holds.
  const isList = rows.length > 1 || isExpanded || options.manifest !== undefined || shard !== undefined
  const batch = await divide(context, rows, { keyOf: keyOfFile, shard, noun: 'books' })
  await uploadRows(context, { ...batch, isList }, { ...options, summary }, null)
}
