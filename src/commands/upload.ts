import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { isIsbn } from '../books/index.ts'
import type { Context } from '../context.ts'
import { exitCodes, Failure, Interrupted, UsageFailure } from '../errors.ts'
import { formatOf } from '../options.ts'
import { createBatchProgress, silentBatch } from '../output/batch-progress.ts'
import type { View } from '../output/view.ts'
import { type BatchOutcome, runBatch, type Task } from '../uploads/batch.ts'
import { expandInputs } from '../uploads/inputs.ts'
import type { Entry } from '../uploads/journal.ts'
import { type ManifestRow, readManifest } from '../uploads/manifest.ts'
import { planUpload, type UploadPlan, type Wishes } from '../uploads/plan.ts'
import type { Result } from '../uploads/receipt.ts'
import { checkReport, writeFailed, writeReport } from '../uploads/report.ts'
import { resumeUpload, runUpload } from '../uploads/run.ts'
import { skipExisting } from '../uploads/skip.ts'
import type { Tools } from '../uploads/tools.ts'
import { partFailed } from './batch.ts'
import { pairs, parseCount, repeated } from './repeated.ts'
import { openTools } from './upload-tools.ts'

interface RunOptions {
  wait: boolean
  concurrency: number
  stopOnError?: boolean | undefined
  report?: string | undefined
}

interface UploadOptions extends Wishes, RunOptions {
  check: boolean
  strict?: true | undefined
  manifest?: string | undefined
  recursive?: true | undefined
  skipExisting?: true | undefined
}

export const receiptView: View = {
  columns: [
    { field: 'file' },
    { field: 'type' },
    { field: 'bytes', kind: 'bytes' },
    { field: 'publicationId', isWhole: true },
    { field: 'editionId', isWhole: true, isDetail: true },
    { field: 'uploadStatus' },
    { field: 'outcome' },
    { field: 'error.message' },
    { field: 'sha256', isDetail: true },
    { field: 'uploadRequestId', isDetail: true },
  ],
  fields: () =>
    new Set(
      'file sha256 bytes type publicationId editionId uploadRequestId uploadStatus outcome error error.code error.message'.split(
        ' ',
      ),
    ),
  empty: 'There was nothing to upload.',
}

/** Gives a command the options that say something of a book. */
export const bookOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .optionsGroup('The book:')
    .option('--title <text>', "the title, in place of the file's own")
    .addOption(repeated('--author <name>', "an author, in place of the file's own"))
    .option('--language <language>', 'a tag such as en-GB, or a name such as English')
    .option('--description <text>', 'what the book is about')
    .option('--isbn <isbn>', 'its ISBN, with or without hyphens', parseIsbn)
    .option('--publisher <name>', 'who publishes it')
    .addOption(pairs('--metadata <key=value>', 'a metadata value'))
    .option('--cover <file>', 'an image file; "auto" for the cover in the book, "none" for none', 'auto')
    .addOption(repeated('--collection <id>', 'a collection to put it in'))
    .addOption(repeated('--sample-item <item>', 'an item of the book that anybody may read'))
    .option('--internal', 'only for the internal reading instance')
    .optionsGroup('The upload:')
    .option('--no-wait', 'do not wait until the service has processed the file')
    .option('--no-check', 'send the file whatever its problems are')
    .option('--strict', 'stop on warnings as well as on errors')

/** Gives a command the options of a run over many files. */
export const batchOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('Many files:')
    .addOption(
      new Option('--concurrency <count>', 'how many files are sent at a time')
        .argParser(parseCount)
        .default(4),
    )
    .option('--stop-on-error', 'begin no further file once one has failed')
    .option('--continue', 'go on with the other files when one fails, which is the default')
    .option('--report <file>', 'write the receipts to a .json, .csv, .xml (JUnit) or .html file')

/** Uploads one file as an edition of a publication. */
export async function uploadEdition(
  context: Context,
  publicationId: string,
  file: string,
  options: Omit<UploadOptions, keyof RunOptions> & Pick<RunOptions, 'wait'>,
): Promise<void> {
  await context.check(receiptView)
  const rows = [{ file, wishes: wishesOf(options) }]
  await carryOut(context, rows, { ...options, concurrency: 1 }, publicationId)
}

/** Uploads files, folders, what globs match, or what a catalogue lists, and shows a receipt for each. */
export async function uploadFiles(
  context: Context,
  inputs: readonly string[],
  options: UploadOptions,
): Promise<void> {
  await context.check(receiptView)
  if (options.report !== undefined) checkReport(options.report)
  const wishes = wishesOf(options)
  const rows: ManifestRow[] = (await expandInputs(inputs, options.recursive === true)).map(file => ({
    file,
    wishes,
  }))
  if (options.manifest !== undefined) {
    for (const row of await readManifest(options.manifest))
      rows.push({ ...row, wishes: { ...wishes, ...given(row.wishes) } })
  }
  if (rows.length === 0)
    throw new UsageFailure('no file is named', { hint: 'Name files, or a catalogue with --manifest.' })
  if (rows.length > 1 && (options.title !== undefined || options.isbn !== undefined)) {
    throw new UsageFailure('--title and --isbn belong to one book, and several files were given', {
      hint: 'Give each its own in a catalogue with --manifest.',
    })
  }
  await carryOut(context, rows, options, null)
}

const wishesOf = ({
  title,
  author,
  language,
  description,
  isbn,
  publisher,
  metadata,
  cover,
  collection,
  sampleItem,
  internal,
}: Wishes) => ({
  ...{
    title,
    author,
    language,
    description,
    isbn,
    publisher,
    metadata,
    cover,
    collection,
    sampleItem,
    internal,
  },
})

/** What a row of a catalogue does say, so that the rest comes from the command line. */
const given = (wishes: Wishes): Wishes =>
  Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined))

async function carryOut(
  context: Context,
  rows: readonly ManifestRow[],
  options: RunOptions & Pick<UploadOptions, 'check' | 'strict' | 'skipExisting'>,
  editionOf: string | null,
): Promise<void> {
  const plan = (row: ManifestRow) =>
    planUpload(row.file, row.wishes, {
      check: options.check ? (options.strict ? 'strict' : 'errors') : 'off',
      onWarning: text => void context.warn(text),
      askTitle: path => askForTitle(context, path),
    })
  if (context.options.dryRun) {
    for (const row of rows) await planRequests(context, await plan(row), editionOf)
    return
  }
  // One file alone is settled before anything is opened, so that a mistake in it is the command's own.
  const [first] = rows
  const only = rows.length === 1 && first ? await plan(first) : undefined
  await runTasks(context, options, rows, tools =>
    rows.map(row => ({
      file: row.file,
      run: async () => {
        const planned = only ?? (await tools.limits.read(() => plan(row)))
        return (
          (options.skipExisting && (await skipExisting(planned, tools))) ||
          (await runUpload(planned, tools, editionOf))
        )
      },
    })),
  )
}

/** Goes on with uploads of the journal. */
export async function resumeUploads(
  context: Context,
  options: RunOptions,
  entries: readonly Entry[],
): Promise<void> {
  const rows = entries.map(entry => ({ file: entry.file, wishes: {} }))
  await runTasks(context, options, rows, tools =>
    entries.map(entry => ({ file: entry.file, run: () => resumeUpload(entry, tools) })),
  )
}

async function runTasks(
  context: Context,
  options: RunOptions,
  rows: readonly ManifestRow[],
  tasksFor: (tools: Tools) => Task[],
): Promise<void> {
  const { isQuiet, err, world, progress } = context
  const isBatch = rows.length > 1
  const one = isBatch || isQuiet ? undefined : await progress()
  const sizes =
    isBatch && !isQuiet
      ? await Promise.all(rows.map(async ({ file }) => (await stat(file).catch(() => undefined))?.size ?? 0))
      : []
  const many =
    isBatch && !isQuiet
      ? createBatchProgress(
          err,
          world.clock,
          rows.length,
          sizes.reduce((sum, size) => sum + size, 0),
        )
      : silentBatch
  const opened = await openTools(context, options, (file, step) => {
    if (step.step === 'state') one?.state(`${basename(file)}: ${step.text}`)
    else if (step.sent === 0) one?.sending(basename(file), step.total)
    else one?.sent(step.sent)
    if (step.step === 'sending') many.sent(file, step.sent)
  })
  let outcome: BatchOutcome
  try {
    outcome = await runBatch(tasksFor(opened.tools), {
      underWay: opened.underWay,
      stopOnError: options.stopOnError === true,
      signal: world.signal,
      async onResult({ receipt }) {
        many.finished(receipt.file, receipt.outcome, receipt.error?.message)
        if (isBatch && isStreaming(context)) await context.list(receiptView, [[receipt]])
      },
    })
  } finally {
    one?.stop()
    many.stop()
    opened.close()
  }
  await conclude(context, options, rows, outcome)
}

/** Shows the receipts, writes the reports, and says by the exit code what came of it. */
async function conclude(
  context: Context,
  options: RunOptions,
  rows: readonly ManifestRow[],
  { results, fatal }: BatchOutcome,
): Promise<void> {
  const receipts = results.map(({ receipt }) => receipt)
  if (rows.length > 1 ? !isStreaming(context) : receipts.length > 0) {
    await (rows.length > 1 ? context.list(receiptView, [receipts]) : context.item(receiptView, receipts[0]))
  }
  if (options.report !== undefined) await writeReport(options.report, receipts)
  const failures = results.filter(
    (result): result is Result & { failure: Failure } => result.failure !== undefined,
  )
  const [only] = failures
  if (rows.length > 1 && failures.length > 0) await tellFailed(context, options, rows, failures)
  for (const { receipt } of results) {
    if (receipt.outcome === 'skipped' && rows.length === 1)
      await context.note(`${receipt.file} was uploaded before, so it was skipped.`)
  }
  if (fatal instanceof Interrupted) throw resumable(fatal)
  if (fatal !== undefined && isTellingEnough(fatal)) throw fatal
  if (only && rows.length === 1) throw only.failure
  if (failures.length > 0) {
    throw partFailed(
      failures.map(({ receipt, failure }) => ({ id: receipt.file, failure })),
      rows.length,
    )
  }
}

const isTellingEnough = ({ exitCode }: Failure): boolean =>
  exitCode === exitCodes.notAuthenticated || exitCode === exitCodes.nobodyToAsk

const resumable = (failure: Interrupted): Failure =>
  new Failure(failure.message, {
    code: failure.code,
    exitCode: failure.exitCode,
    hint: 'To go on where it stopped: pubctl uploads resume',
  })

/** Leaves a catalogue of what failed beside the report, or here, that can be fed straight back in. */
async function tellFailed(
  context: Context,
  options: RunOptions,
  rows: readonly ManifestRow[],
  failures: readonly Result[],
): Promise<void> {
  const failed = failures.flatMap(({ receipt }) => {
    const row = rows.find(({ file }) => file === receipt.file)
    return row ? [{ row, error: receipt.error?.message ?? '' }] : []
  })
  const path = join(options.report === undefined ? '.' : dirname(options.report), 'failed.csv')
  await writeFailed(path, failed)
  await context.note(
    `What failed is in ${path}; try it again with: pubctl publications upload --manifest ${path}`,
  )
}

/** Whether each receipt is printed as its file ends. */
const isStreaming = ({ options }: Context): boolean => formatOf(options) === 'ndjson'

async function askForTitle({ ask }: Context, path: string): Promise<string> {
  if (!ask.isPossible) {
    throw new UsageFailure(`${path} does not say what its title is`, {
      code: 'no_title',
      hint: 'Pass --title.',
    })
  }
  return (await ask.text(`${basename(path)} has no title. What is it called?`, '--title')).trim()
}

/** What `--dry-run` prints of an upload. */
async function planRequests(context: Context, plan: UploadPlan, editionOf: string | null): Promise<void> {
  const { publications } = await import('../contract/publications.ts')
  const { editions } = await import('../contract/editions.ts')
  const { path, bytes, creation, coverBytes } = plan
  await (editionOf === null
    ? context.change(publications.create, creation)
    : context.change(editions.create, { id: editionOf, ...creation }))
  context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body: { file: path, bytes } })
  if (coverBytes !== undefined) {
    const body = { file: creation.coverFilename, bytes: coverBytes }
    context.plan({ method: 'PUT', url: '(the cover upload URL in the answer)', body })
  }
}

function parseIsbn(text: string): string {
  const isbn = text.replace(/[\s-]/g, '').toUpperCase()
  if (isIsbn(isbn)) return isbn
  throw new UsageFailure(`"${text}" is not an ISBN`, {
    code: 'bad_isbn',
    hint: 'An ISBN has 13 or 10 digits, of which the last checks the others.',
  })
}
