import { basename, resolve } from 'node:path'
import { partFailed } from '../cli/for-each.ts'
import type { Context } from '../context.ts'
import { Failure, Interrupted, UsageFailure } from '../errors.ts'
import type { Entry } from '../journal/entry.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import type { Queued } from '../journal/queue.ts'
import { stepView } from '../output/dry-run-views.ts'
import { type Overrides, overridesIn } from '../plan/book-fields.ts'
import type { UploadPlan } from '../plan/upload-plan.ts'
import type { IfChanged, Origin, WantedFile } from '../plan/wanted.ts'
import { expandInputs } from '../sources/inputs.ts'
import { readManifest } from '../sources/manifest.ts'
import { applyStep } from '../transfer/apply.ts'
import { type Decider, openDecider } from '../transfer/decider.ts'
import { fingerprintOf } from '../transfer/fingerprint.ts'
import { sha256Of } from '../transfer/hash.ts'
import { type Lookup, openLookup } from '../transfer/lookup.ts'
import { prepareUpload } from '../transfer/prepare.ts'
import { type Read, readHere } from '../transfer/reading.ts'
import { notBegun, type Result } from '../transfer/receipt.ts'
import { checkReport } from '../transfer/report.ts'
import { resumeUpload, runUpload } from '../transfer/run.ts'
import type { Tools } from '../transfer/tools.ts'
import type { Warning } from '../warning.ts'
import { receiptView } from './receipt-view.ts'
import { planStep } from './upload-dry-run.ts'
import { type Batch, type RunOptions, runTasks } from './upload-run.ts'
import { callerOf, orMemoryJournal, readJournal } from './upload-tools.ts'

/** How a file is read, and whether it is sent at all. */
interface PlanOptions {
  check: boolean
  strict?: true | undefined
  skipExisting?: true | undefined
  ifChanged?: IfChanged | undefined
}

/** Whether the service is asked what it has of each file. */
const isLookedUp = ({ skipExisting, ifChanged }: PlanOptions): boolean =>
  skipExisting === true || ifChanged !== undefined

interface UploadOptions extends Overrides, PlanOptions, RunOptions {
  manifest?: string | undefined
  recursive?: true | undefined
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

/** Uploads files, folders, what globs match, or what a catalogue lists, and shows a receipt for each. */
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

/** What a command's options say of a book; the file of a cover is named by its absolute path. */
export function overridesOf(options: Overrides): Overrides {
  const overrides = overridesIn(options)
  const { cover } = overrides
  return cover === undefined || cover === 'auto' || cover === 'none'
    ? overrides
    : { ...overrides, cover: resolve(cover) }
}

async function carryOut(
  context: Context,
  { rows, isList }: Batch,
  options: RunOptions & PlanOptions,
  editionOf: string | null,
): Promise<void> {
  if (context.options.dryRun) {
    const journal = await orMemoryJournal(context, readJournal)
    try {
      return await planAll(context, rows, options, editionOf, journal)
    } finally {
      journal.close()
    }
  }
  // One file alone is settled before anything is opened, so that a mistake in it is the command's own.
  const [first] = rows
  const only =
    rows.length === 1 && first
      ? await planOf(context, first, { ...options, isBatch: isList, read: readHere })
      : undefined
  await runTasks(context, options, { rows, isList }, tools => {
    const queued =
      only === undefined
        ? tools.journal.queue.add(
            tools.caller,
            rows.map(row => ({ editionOf, ...requestOf(row, options) })),
          )
        : []
    const existing = isLookedUp(options) ? openExisting(tools) : undefined
    const batchBegan = tools.clock.now()
    return rows.map((row, index) => ({
      file: row.file,
      run: () =>
        uploadOne(context, tools, {
          ...{ row, index, options, editionOf, planned: only, existing },
          queued: queued[index]?.uploadRequestId,
          batchBegan: queued[index]?.queuedAt ?? batchBegan,
        }),
    }))
  })
}

/** Goes on with uploads of the journal, and begins the files that a batch left in its queue. */
export async function resumeUploads(
  context: Context,
  options: RunOptions,
  { entries, queued, isList }: { entries: readonly Entry[]; queued: readonly Queued[]; isList: boolean },
): Promise<void> {
  const left = queued.map(each => ({ ...each, ...readRequest(each) }))
  const rows = [...entries.map(({ file }) => ({ file, overrides: {} })), ...left.map(({ row }) => row)]
  await runTasks(context, options, { rows, isList, isResumed: true }, tools => {
    const existing = openExisting(tools)
    const isAnyLookedUp = left.some(({ plan }) => isLookedUp(plan))
    return [
      ...entries.map(entry => ({
        file: entry.file,
        run: async () => {
          // What is created now must not be taken for something that was there before the files of the queue.
          const { title } = entry.creation.edition
          if (isAnyLookedUp && entry.stage === 'planned' && title) await existing.lookup.search(title)
          return await resumeUpload(entry, tools)
        },
      })),
      ...left.map(({ uploadRequestId, editionOf, queuedAt, row, plan }, index) => ({
        file: row.file,
        run: async () => {
          const { journal } = tools
          // Another process may have taken it up meanwhile, and it may be through with it by now.
          const isOurs = journal.claim(uploadRequestId)
          try {
            return await uploadOne(context, tools, {
              ...{ row, index, options: plan, editionOf, planned: undefined, batchBegan: queuedAt },
              queued: uploadRequestId,
              existing: isLookedUp(plan) ? existing : undefined,
            })
          } finally {
            if (isOurs) journal.release(uploadRequestId)
          }
        },
      })),
    ]
  })
}

/** What decides on files by what is there already. */
interface Existing {
  readonly lookup: Lookup
  readonly decider: Decider
}

function openExisting(tools: Tools): Existing {
  const { call, limits, journal, caller, clock, signal, onWarning } = tools
  const lookup = openLookup(call, limits.ask)
  const hash = async ({ sha256, file, bytes }: UploadPlan) =>
    sha256 ?? (await limits.read(() => sha256Of(file, bytes, signal)))
  const contentOf = ({ file }: UploadPlan, sha256: string | null) => sha256 ?? file
  return {
    lookup,
    decider: openDecider({ journal, caller, lookup, onWarning, hash, contentOf, now: clock.now }),
  }
}

interface Work {
  readonly row: WantedFile
  /** Its place in the batch. */
  readonly index: number
  readonly options: PlanOptions
  readonly editionOf: string | null
  /** The plan of the file where it is there already. */
  readonly planned: UploadPlan | undefined
  /** The id under which the file stands in the queue. */
  readonly queued: string | undefined
  /** When its batch began, in milliseconds since 1970. */
  readonly batchBegan: number
  readonly existing: Existing | undefined
}

const originOf = ({ file, from = { file } }: WantedFile): Origin => from

async function uploadOne(context: Context, tools: Tools, work: Work): Promise<Result> {
  const { row, index, options, editionOf, queued, batchBegan, existing } = work
  const leaveQueue = () => queued !== undefined && tools.journal.queue.remove(queued)
  const turn = existing?.decider.takeTurn(index)
  try {
    let plan = work.planned
    try {
      plan ??= await tools.limits.read(async () => {
        if (tools.halt.aborted) throw notBegun()
        return await planOf(context, row, { ...options, isBatch: true, read: tools.read }, tools.onWarning)
      })
    } catch (error) {
      // A file that is not fit will not be fitter when the batch is gone on with.
      if (!tools.halt.aborted) leaveQueue()
      throw error
    }
    if (existing === undefined || turn === undefined)
      return await runUpload(plan, tools, { editionOf, queued })
    const { ifChanged = 'fail' } = options
    const result = await turn.decide(
      plan,
      { editionOf, ifChanged, batchBegan, from: originOf(row) },
      decision => applyStep(decision, tools, { lookup: existing.lookup, queued }),
    )
    if (['skipped', 'updated', 'conflict'].includes(result.receipt.outcome)) leaveQueue()
    return result
  } finally {
    turn?.end()
  }
}

export const planOf = (
  context: Context,
  { file, overrides }: WantedFile,
  { check, strict, isBatch, read }: PlanOptions & { isBatch: boolean; read: Read },
  onWarning: (warning: Warning) => void = warning => void context.warn(warning),
): Promise<UploadPlan> =>
  prepareUpload(file, overrides, {
    read,
    check: check ? (strict ? 'strict' : 'errors') : 'off',
    onWarning,
    askTitle: path => askForTitle(context, path, isBatch),
  })

/** What the queue holds of a file, so that it can be begun from anywhere and without the command line. */
const requestOf = (
  { file, overrides }: WantedFile,
  { check, strict, skipExisting, ifChanged }: PlanOptions,
) => ({
  file: resolve(file),
  request: JSON.stringify({ wishes: overrides, check, strict, skipExisting, ifChanged }),
})

function readRequest({ file, request }: Queued): { row: WantedFile; plan: PlanOptions } {
  const { wishes: overrides, ...plan } = JSON.parse(request)
  return { row: { file, overrides }, plan }
}

async function askForTitle({ ask }: Context, path: string, isBatch: boolean): Promise<string> {
  if (!ask.isPossible || isBatch) {
    throw new UsageFailure(`${path} does not say what its title is`, {
      code: 'no_title',
      hint: isBatch ? 'Give it one in a catalogue with --manifest.' : 'Pass --title.',
    })
  }
  return (await ask.text(`${basename(path)} has no title. What is it called?`, '--title')).trim()
}

/** Notes the step of every file for `--dry-run`; throws what is wrong with any of them, all at once. */
async function planAll(
  context: Context,
  rows: readonly WantedFile[],
  options: PlanOptions,
  editionOf: string | null,
  journal: JournalReader,
): Promise<void> {
  const lookup = isLookedUp(options) ? openLookup(context.call, work => work()) : undefined
  const { clock, signal } = context.world
  const decider = openDecider({
    journal,
    caller: await callerOf(context, journal),
    lookup,
    onWarning: warning => void context.warn(warning),
    now: clock.now,
    hash: async ({ sha256, file, bytes }) => sha256 ?? (lookup ? await sha256Of(file, bytes, signal) : null),
    contentOf: (plan, sha256) => sha256 ?? fingerprintOf(plan, editionOf),
  })
  const decisionOptions = { editionOf, ifChanged: options.ifChanged ?? 'fail', batchBegan: clock.now() }
  const failures: { id: string; failure: Failure }[] = []
  for (const [index, row] of rows.entries()) {
    const turn = decider.takeTurn(index)
    try {
      const plan = await planOf(context, row, { ...options, isBatch: rows.length > 1, read: readHere })
      await turn.decide(plan, { ...decisionOptions, from: originOf(row) }, decision =>
        planStep(context, decision, journal, lookup),
      )
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof Interrupted || rows.length === 1) throw error
      failures.push({ id: row.file, failure: error })
    } finally {
      turn.end()
    }
  }
  if (failures.length > 0) throw partFailed(failures, rows.length)
}
