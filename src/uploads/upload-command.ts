import type { Context } from '../cli/context.ts'
import { stepView } from '../cli/output/dry-run-views.ts'
import type { Overrides } from '../plan/book-fields.ts'
import { keyOfFile } from '../plan/divide.ts'
import { UsageFailure } from '../system/errors.ts'
import { askedChecks } from './asked-checks.ts'
import { divide } from './batch/divide.ts'
import { summaryFile } from './batch/job-summary.ts'
import type { RunOptions } from './batch/options.ts'
import { receiptView } from './batch/receipt-view.ts'
import { uploadRows } from './batch/upload-rows.ts'
import type { FileOptions } from './file-options.ts'
import { type NamingOptions, namedFiles } from './inputs/named-files.ts'
import { overridesOf } from './options/book-options.ts'
import { resolveShard, type ShardChoice } from './options/shard-option.ts'
import { checkReport } from './report/index.ts'

interface UploadOptions extends Overrides, FileOptions, NamingOptions, Omit<RunOptions, 'summary'> {
  readonly summary?: true | undefined
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
  const asked = await askedChecks(context, options)
  const rows = [{ file, overrides: overridesOf(options) }]
  await uploadRows(context, { rows, isList: false }, { ...options, ...asked, concurrency: 1 }, publicationId)
}

/** Uploads files, folders, the matches of patterns, and the files of a sheet, and shows a receipt for each. */
export async function uploadFiles(
  context: Context,
  inputs: readonly string[],
  options: UploadOptions,
): Promise<void> {
  await context.check(context.options.dryRun ? stepView : receiptView)
  if (options.report !== undefined) checkReport(options.report)
  const asked = await askedChecks(context, options)
  const overrides = overridesOf(options)
  const { signal, mayRead } = context.world
  const { rows, isList: isNamedAsList } = await namedFiles(inputs, { ...options, signal, mayRead }, overrides)
  const summary = summaryFile(context, options.summary)
  const shard = options.shard && resolveShard(options.shard, context.world.env)
  if (rows.length > 1 && (options.title !== undefined || options.isbn !== undefined)) {
    throw new UsageFailure('--title and --isbn belong to one book, and several files were given', {
      hint: 'Give each its own in a sheet with --manifest.',
    })
  }
  const isList = isNamedAsList || shard !== undefined
  const batch = await divide(context, rows, { keyOf: keyOfFile, shard, noun: 'books' })
  await uploadRows(context, { ...batch, isList, isBatch: isList }, { ...options, ...asked, summary }, null)
}
