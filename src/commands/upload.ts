import { basename, resolve } from 'node:path'
import { partFailed } from '../cli/for-each.ts'
import type { Context } from '../context.ts'
import { UsageFailure } from '../errors.ts'
import type { Entry } from '../journal/entry.ts'
import type { Queued } from '../journal/queue.ts'
import { stepView } from '../output/dry-run-views.ts'
import { type Overrides, overridesIn } from '../plan/book-fields.ts'
import type { WantedFile } from '../plan/wanted.ts'
import { expandInputs } from '../sources/inputs.ts'
import { readManifest } from '../sources/manifest.ts'
import { planFiles } from '../transfer/dry-run.ts'
import { type FileOptions, readQueued } from '../transfer/file-options.ts'
import { checkOf, noTitle, noTitleInBatch, type Prepared, prepareUpload } from '../transfer/prepare.ts'
import { readHere } from '../transfer/reading.ts'
import { checkReport } from '../transfer/report.ts'
import { resumeTasks, uploadTasks } from '../transfer/upload-files.ts'
import { receiptView } from './receipt-view.ts'
import { callerOf, orMemoryJournal, readJournal } from './upload-context.ts'
import { showStep } from './upload-dry-run.ts'
import { runTasks } from './upload-run.ts'
import type { Batch, RunOptions } from './upload-summary.ts'

interface UploadOptions extends Overrides, FileOptions, RunOptions {
  readonly manifest?: string | undefined
  readonly recursive?: true | undefined
}

/** Uploads one file as an edition of a publication. */
export async function uploadEdition(
  context: Context,
  publicationId: string,
  file: string,
  options: Omit<UploadOptions, keyof RunOptions> & Pick<RunOptions, 'wait'>,
): Promise<void> {
  await context.check(context.options.dryRun ? stepView : receiptView)
  const rows = [{ file, overrides: overridesOf(options) }]
  await carryOut(context, { rows, isList: false }, { ...options, concurrency: 1 }, publicationId)
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
  const rows: WantedFile[] = files.map(file => ({ file, overrides }))
  if (options.manifest !== undefined) {
    for (const row of await readManifest(options.manifest))
      rows.push({ ...row, overrides: { ...overrides, ...row.overrides } })
  }
  if (rows.length === 0)
    throw new UsageFailure('no file is named', { hint: 'Name files, or a catalogue with --manifest.' })
  if (rows.length > 1 && (options.title !== undefined || options.isbn !== undefined)) {
    throw new UsageFailure('--title and --isbn belong to one book, and several files were given', {
      hint: 'Give each its own in a catalogue with --manifest.',
    })
  }
  // Whether one receipt or a list is shown depends on what was asked for, not on how many books a folder holds.
  const isList = rows.length > 1 || isExpanded || options.manifest !== undefined
  await carryOut(context, { rows, isList }, options, null)
}

/** Continues uploads of the journal, and begins the files that a batch left in the queue. */
export async function resumeUploads(
  context: Context,
  options: RunOptions,
  { entries, queued, isList }: { entries: readonly Entry[]; queued: readonly Queued[]; isList: boolean },
): Promise<void> {
  const rows = [
    ...entries.map(({ file }) => ({ file, overrides: {} })),
    ...queued.map(each => readQueued(each).row),
  ]
  await runTasks(context, options, { rows, isList, isResumed: true }, transfer =>
    resumeTasks({ entries, queued }, transfer),
  )
}

/** The overrides in a command's options, with an absolute path for the cover. */
function overridesOf(options: Overrides): Overrides {
  const overrides = overridesIn(options)
  const { cover } = overrides
  return cover === undefined || cover === 'auto' || cover === 'none'
    ? overrides
    : { ...overrides, cover: resolve(cover) }
}

/** Reads one file and determines what is to be sent; the user is asked for a missing title. */
export const prepareOne = (
  context: Context,
  file: string,
  options: Overrides & FileOptions,
): Promise<Prepared> => prepareAlone(context, { file, overrides: overridesOf(options) }, options)

const prepareAlone = (
  context: Context,
  { file, overrides }: WantedFile,
  options: FileOptions,
  askTitle = (path: string) => askForTitle(context, path),
): Promise<Prepared> =>
  prepareUpload(file, overrides, {
    ...{ read: readHere, check: checkOf(options), askTitle },
    onWarning: warning => void context.warn(warning),
  })

async function askForTitle({ ask }: Context, path: string): Promise<string> {
  if (!ask.isPossible) throw noTitle(path, 'Pass --title.')
  return (await ask.text(`${basename(path)} has no title. What is it called?`, '--title')).trim()
}

async function carryOut(
  context: Context,
  batch: Batch,
  options: RunOptions & FileOptions,
  editionOf: string | null,
): Promise<void> {
  const { rows, isList } = batch
  if (context.options.dryRun) return await planAll(context, rows, options, editionOf)
  // A single file is prepared before anything is opened, so that its problems are the command's own failure.
  const [first] = rows
  const prepared =
    rows.length === 1 && first
      ? await prepareAlone(context, first, options, isList ? noTitleInBatch : undefined)
      : undefined
  await runTasks(context, options, batch, transfer =>
    uploadTasks({ rows, options, editionOf, prepared }, transfer),
  )
}

/** Records the step of every file for `--dry-run`; throws all failures at the end. */
async function planAll(
  context: Context,
  rows: readonly WantedFile[],
  options: FileOptions,
  editionOf: string | null,
): Promise<void> {
  const { clock, signal } = context.world
  const journal = await orMemoryJournal(context, readJournal)
  try {
    const failures = await planFiles({
      ...{ rows, options, editionOf, journal, clock, signal },
      caller: await callerOf(context, journal),
      call: context.call,
      askTitle: rows.length > 1 ? noTitleInBatch : path => askForTitle(context, path),
      onWarning: warning => void context.warn(warning),
      onStep: (decision, requests) => showStep(context, decision, requests),
    })
    if (failures.length > 0) throw partFailed(failures, rows.length)
  } finally {
    journal.close()
  }
}
