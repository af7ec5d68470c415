import { continuing } from '../plan/decide.ts'
import { hasFailed } from '../plan/match.ts'
import { planStepOf } from '../plan/product-step.ts'
import type { UploadPlan } from '../plan/upload-plan.ts'
import type { WantedFile } from '../plan/wanted.ts'
import { Interrupted } from '../system/errors.ts'
import type { Task } from './batch.ts'
import { execute, type Ready } from './execute.ts'
import { type FileOptions, isLookedUp, queuedRequest, readQueued } from './file-options.ts'
import { type FileSteps, type FileWork, openFileSteps } from './file-steps.ts'
import type { Entry } from './journal/entry.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import type { Queued } from './journal/queue.ts'
import type { Deciding } from './lookup/decider.ts'
import { begunOf } from './lookup/gather.ts'
import { checkOf, noTitleInBatch, type Prepared, prepareUpload } from './prepare.ts'
import type { Hash } from './reading/reading.ts'
import { notBegun, type Result } from './receipt.ts'
import { claimBegun } from './run-upload.ts'
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
  const steps = openSteps(context, rows, isLookedUp(options), mayRepeat)
  const batchBegan = context.clock.now()
  return rows.map((row, index) => ({
    file: row.file,
    run: () =>
      uploadOne(context, {
        ...{ row, index, options, editionOf, prepared, steps },
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
  const steps = openSteps(
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
        if (isAnyLookedUp && entry.stage === 'planned' && title) await steps.lookup.search(title)
        return await execute(readyOfEntry(entry), context)
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
            ...{ queued: uploadRequestId, steps },
          })
        } finally {
          if (isOurs) journal.release(uploadRequestId)
        }
      },
    })),
  ]
}

/** The step that continues an upload of the journal. */
export function readyOfEntry(entry: Entry): Ready {
  const { file, bytes, sha256, stage, creation, cover, editionOf } = entry
  const { type, title = null, author = null } = creation.edition
  const step = continuing(begunOf(entry, null, false), stage === 'sent' || stage === 'finished')
  const line = planStepOf(
    { key: null, file, bytes, sha256, type, title, author, from: { file } },
    step,
    undefined,
    // What was created before is only sent.
    stage === 'planned' ? { creation, cover, editionOf } : null,
  )
  return { by: 'upload', claim: claimBegun(entry), editionOf, step: { ...line, editionOf } }
}

const openSteps = (
  context: LocalContext,
  rows: readonly WantedFile[],
  isSearched: boolean,
  mayRepeat?: Deciding['mayRepeat'],
): FileSteps => openFileSteps({ ...context, rows, isSearched, mayRepeat })

interface Work extends Omit<FileWork, 'prepare'> {
  readonly prepared: Prepared | undefined
  readonly steps: FileSteps
}

async function uploadOne(context: LocalContext, { steps, ...work }: Work): Promise<Result> {
  const { journal, halt, kept } = context
  const { queued } = work
  const leaveQueue = () => queued !== undefined && journal.queue.remove(queued)
  let plan: UploadPlan | undefined
  const prepare = async (hash: Hash) => {
    try {
      plan = await planOf(work, context, hash)
      return plan
    } catch (error) {
      // A file that cannot be uploaded is not kept for resuming.
      if (!halt.aborted && !(error instanceof Interrupted)) leaveQueue()
      throw error
    }
  }
  try {
    return await steps.next({ ...work, prepare }, async ready => {
      const result = await execute(ready, context)
      // An upload is in the journal by now. What was not yet brought to its end is tried again.
      const { failure, receipt } = result
      const isOpen = failure !== undefined && ready.by !== 'people' && !hasFailed(receipt.uploadStatus)
      if (ready.by !== 'upload' && !isOpen) leaveQueue()
      return result
    })
  } finally {
    if (plan) kept.drop(plan.creation.uploadRequestId)
  }
}

/** The plan of a file. What is to be sent of it is kept if there is room. */
async function planOf(
  { row: { file, overrides }, options, prepared }: Pick<Work, 'row' | 'options' | 'prepared'>,
  { limits, halt, read, mayRead, openChecks, onWarning, kept }: TransferContext,
  hash: Hash,
): Promise<UploadPlan> {
  const { plan, files } =
    prepared ??
    (await limits.read(async () => {
      await kept.room()
      if (halt.aborted) throw notBegun()
      return await prepareUpload(file, overrides, {
        ...{ read, mayRead, hash, onWarning, ...checkOf(options), askTitle: noTitleInBatch },
        ...(await openChecks(options)),
      })
    }))
  kept.keep(plan.creation.uploadRequestId, files)
  return plan
}
