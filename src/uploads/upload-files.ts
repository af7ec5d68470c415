import type { UploadPlan } from '../plan/upload-plan.ts'
import { originOf, type WantedFile } from '../plan/wanted.ts'
import { applyStep } from './apply.ts'
import type { Task } from './batch.ts'
import { type FileOptions, isLookedUp, queuedRequest, readQueued } from './file-options.ts'
import type { Entry } from './journal/entry.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import type { Queued } from './journal/queue.ts'
import { type Decider, type Deciding, openDecider } from './lookup/decider.ts'
import { hashOf } from './lookup/hash-of.ts'
import { openLookup, type ServiceLookup } from './lookup/lookup.ts'
import { checkOf, noTitleInBatch, type Prepared, prepareUpload } from './prepare.ts'
import { sha256Of } from './reading/hash.ts'
import { notBegun, type Result } from './receipt.ts'
import { resumeUpload } from './run.ts'
import type { TransferContext } from './transfer-context.ts'

/** Only the journal of this machine has the files of batches. */
type LocalContext = TransferContext<LocalJournal>

interface Files {
  readonly rows: readonly WantedFile[]
  readonly options: FileOptions
  /** The publication that the files become editions of, if they do. */
  readonly editionOf: string | null
  /** The preparation of a single file, which is done before anything is opened. */
  readonly prepared: Prepared | undefined
  /** Asks whether a copy of what is there is uploaded all the same; without it, it is skipped. */
  readonly mayRepeat?: Deciding['mayRepeat']
}

/** The uploads of files. The files of a batch are stored in the journal's queue first, so that they can be resumed. */
export function uploadTasks(
  { rows, options, editionOf, prepared, mayRepeat }: Files,
  context: LocalContext,
): Task[] {
  const queued =
    prepared === undefined
      ? context.journal.queue.add(
          context.caller,
          rows.map(row => ({ editionOf, ...queuedRequest(row, options) })),
        )
      : []
  const existing = openExisting(context, rows, isLookedUp(options), mayRepeat)
  const batchBegan = context.clock.now()
  return rows.map((row, index) => ({
    file: row.file,
    run: () =>
      uploadOne(context, {
        ...{ row, index, options, editionOf, prepared, existing },
        queued: queued[index]?.uploadRequestId,
        batchBegan: queued[index]?.queuedAt ?? batchBegan,
      }),
  }))
}

/** Continues uploads of the journal, and begins the files that a batch left in the queue. */
export function resumeTasks(
  { entries, queued }: { entries: readonly Entry[]; queued: readonly Queued[] },
  context: LocalContext,
): Task[] {
  const left = queued.map(each => ({ ...each, ...readQueued(each) }))
  const isAnyLookedUp = left.some(({ options }) => isLookedUp(options))
  const existing = openExisting(
    context,
    left.map(({ row }) => row),
    isAnyLookedUp,
  )
  return [
    ...entries.map(entry => ({
      file: entry.file,
      run: async () => {
        // Searched first, so that what is created now does not count as existing for the files of the queue.
        const { title } = entry.creation.edition
        if (isAnyLookedUp && entry.stage === 'planned' && title) await existing.lookup.search(title)
        return await resumeUpload(entry, context)
      },
    })),
    ...left.map(({ uploadRequestId, editionOf, queuedAt, row, options }, index) => ({
      file: row.file,
      run: async () => {
        const { journal } = context
        // Another process may have begun or even finished it meanwhile.
        const isOurs = journal.claim(uploadRequestId)
        try {
          return await uploadOne(context, {
            ...{ row, index, options, editionOf, prepared: undefined, batchBegan: queuedAt },
            ...{ queued: uploadRequestId, existing },
          })
        } finally {
          if (isOurs) journal.release(uploadRequestId)
        }
      },
    })),
  ]
}

/** What is needed to compare files with the journal and the service. */
interface Existing {
  readonly lookup: ServiceLookup
  readonly decider: Decider
}

function openExisting(
  context: LocalContext,
  rows: readonly WantedFile[],
  isSearched: boolean,
  mayRepeat?: Deciding['mayRepeat'],
): Existing {
  const { call, limits, journal, caller, clock, signal, onWarning } = context
  const lookup = openLookup(call, limits.ask, onWarning)
  const hash = hashOf({
    ...{ rows, isSearched, journal, caller },
    compute: ({ file, bytes }) => limits.read(() => sha256Of(file, bytes, signal)),
  })
  const contentOf = ({ file }: UploadPlan, sha256: string | null) => sha256 ?? file
  const shared = { journal, caller, lookup, isSearched, onWarning, mayRepeat, now: clock.now }
  return { lookup, decider: openDecider({ ...shared, hash, contentOf }) }
}

interface Work {
  readonly row: WantedFile
  /** Its index in the batch. */
  readonly index: number
  readonly options: FileOptions
  readonly editionOf: string | null
  readonly prepared: Prepared | undefined
  /** The file's id in the queue. */
  readonly queued: string | undefined
  /** When its batch began, in milliseconds since 1970. */
  readonly batchBegan: number
  readonly existing: Existing
}

async function uploadOne(context: LocalContext, work: Work): Promise<Result> {
  const { row, index, options, editionOf, queued, batchBegan, existing } = work
  const leaveQueue = () => queued !== undefined && context.journal.queue.remove(queued)
  const turn = existing.decider.takeTurn(index)
  let plan: UploadPlan | undefined
  try {
    try {
      plan = await planOf(work, context)
    } catch (error) {
      // A file that cannot be uploaded is not kept for resuming.
      if (!context.halt.aborted) leaveQueue()
      throw error
    }
    const { ifChanged = 'fail', again = false } = options
    const isSearched = isLookedUp(options)
    return await turn.decide(
      plan,
      { editionOf, ifChanged, again, batchBegan, from: originOf(row) },
      async decision => {
        const { action } = decision.step
        const isSent = ['create', 'edition', 'resume', 'wait'].includes(action)
        const result = await applyStep(decision, context, { lookup: existing.lookup, isSearched, queued })
        if (!isSent && (action !== 'update' || result.failure === undefined)) leaveQueue()
        return result
      },
    )
  } finally {
    turn.end()
    if (plan) context.covers.drop(plan.creation.uploadRequestId)
  }
}

/** The plan of a file. Its cover is kept if there is room. */
async function planOf(
  { row: { file, overrides }, options, prepared }: Work,
  { limits, halt, read, onWarning, covers }: TransferContext,
): Promise<UploadPlan> {
  const { plan, cover } =
    prepared ??
    (await limits.read(async () => {
      if (halt.aborted) throw notBegun()
      return await prepareUpload(file, overrides, {
        ...{ read, onWarning, ...checkOf(options), askTitle: noTitleInBatch },
      })
    }))
  covers.keep(plan.creation.uploadRequestId, cover)
  return plan
}
