import { unreadable } from '../books/file.ts'
import { poll } from '../client/poll.ts'
import { changedWhileSent } from '../client/put.ts'
import { isRefusal } from '../client/retryable.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import { exitCodes, Failure, ServiceFailure, UsageFailure } from '../errors.ts'
import type { Change, Entry } from '../journal/entry.ts'
import { decideBegun } from '../plan/decide.ts'
import { creationFor, type UploadPlan } from '../plan/upload-plan.ts'
import { stat } from '../system/files.ts'
import type { Warning } from '../warning.ts'
import { create } from './create.ts'
import { findDuplicates } from './duplicates.ts'
import { fingerprintOf } from './fingerprint.ts'
import { begunOf } from './gather.ts'
import { sha256Of } from './hash.ts'
import { failureOfStatus, isFinalStatus, newestEdition, textOf } from './outcome.ts'
import { emptyReceipt, notBegun, type Receipt, type Result } from './receipt.ts'
import { sendAll } from './send.ts'
import { withSession } from './session.ts'
import type { TransferContext } from './transfer-context.ts'

interface RunOptions {
  /** The publication to add an edition to; null for a publication of its own. */
  readonly editionOf: string | null
  /** The id under which the file stands in the journal's queue, if it does. */
  readonly queued?: string | undefined
  /** The file's SHA-256, where it was computed for this upload. */
  readonly sha256?: string | null | undefined
  /** When the service was asked what it has of the file: what was finished before has been taken into account. */
  readonly decidedAt?: number | undefined
  /** The metadata key that is to tell the service the SHA-256. */
  readonly contentAs?: string | undefined
}

/** Uploads one planned file, or goes on where the journal says that the same upload has come to. */
export async function runUpload(
  plan: UploadPlan,
  shared: TransferContext,
  { editionOf, queued, decidedAt = 0, contentAs, ...known }: RunOptions,
): Promise<Result> {
  const { journal, caller } = shared
  const { file, bytes, modified, coverWish } = plan
  const sha256 = known.sha256 ?? plan.sha256 ?? journal.knownHash(file, bytes, modified)
  const creation = creationFor(plan, editionOf, { key: contentAs, sha256 })
  const wanted = {
    ...{ target: caller.target, scopeId: caller.scopeId, keyDigest: caller.keyDigest },
    ...{ file, bytes, modified, creation, coverWish, editionOf, sha256 },
    uploadRequestId: creation.uploadRequestId,
    fingerprint: fingerprintOf(plan, editionOf),
  }
  const receipt = {
    ...emptyReceipt(plan.path),
    bytes,
    type: creation.edition.type,
    warnings: [...plan.warnings],
  }
  return await settle(receipt, shared, async context => {
    const passedOver = new Set<string>()
    for (let inQueue = queued; ; inQueue = undefined) {
      const { entry, isClaimed, isNew, isChanged } = journal.begin(wanted, { queued: inQueue, passedOver })
      if (!isClaimed) {
        await untilFree(entry, context)
        continue
      }
      try {
        const isKnown = entry.stage === 'finished' && entry.changedAt < decidedAt
        const state = isNew || isKnown ? null : await stateOf(entry, context)
        const step = isKnown ? undefined : decideBegun(begunOf(entry, state, isChanged))
        if (isNew || step) {
          if (step?.action === 'skip') receipt.why = step.why
          return await goOn(entry, context, receipt, { state, isNew, plannedAs: creation.uploadRequestId })
        }
        passedOver.add(entry.uploadRequestId)
        if (isChanged && !isKnown && state !== 'gone') {
          context.onWarning({
            code: 'file_changed',
            message: `${plan.path} has changed since publication ${entry.publicationId} was made of it, so it becomes another one`,
          })
        }
      } finally {
        journal.release(entry.uploadRequestId)
      }
    }
  })
}

/** Goes on with an upload of the journal. */
export async function resumeUpload(entry: Entry, shared: TransferContext): Promise<Result> {
  const { uploadRequestId } = entry
  const receipt = { ...emptyReceipt(entry.file), bytes: entry.bytes, type: entry.creation.edition.type }
  return await settle(receipt, shared, async context => {
    while (!context.journal.claim(uploadRequestId)) {
      if (context.journal.get(uploadRequestId) === undefined) throw struckOut(entry)
      await untilFree(entry, context)
    }
    try {
      const now = context.journal.get(uploadRequestId)
      if (now === undefined) throw struckOut(entry)
      const state = await stateOf(now, context)
      const step = decideBegun(begunOf(now, state, false))
      if (!step) throw failureOfStatus(state, now.file) ?? gone(now)
      if (step.action === 'skip') receipt.why = step.why
      await goOn(now, context, receipt, { state, isNew: false })
    } finally {
      context.journal.release(uploadRequestId)
    }
  })
}

/** Does the work on one file with a context whose warnings stand in its receipt as well. */
export async function settle(
  receipt: Receipt,
  context: TransferContext,
  work: (context: TransferContext) => Promise<void>,
): Promise<Result> {
  const onWarning = (warning: Warning) => {
    receipt.warnings.push(warning)
    context.onWarning(warning)
  }
  try {
    await work({ ...context, onWarning })
    return { receipt, failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    receipt.error = { code: error.code, message: error.message }
    return { receipt, failure: error }
  }
}

/** What the service says of an upload that was begun before; `gone` when it knows nothing of it, or no more. */
type State = string | null | 'gone'

async function stateOf(entry: Entry, context: TransferContext): Promise<State> {
  try {
    return await statusOf(entry, context)
  } catch (error) {
    if (error instanceof ServiceFailure && error.status === 404) return 'gone'
    throw error
  }
}

const hasArrived = (state: State): boolean => state === 'uploaded' || isFinalStatus(state)

/** Takes an upload from the stage it has reached to its end, and writes down each stage before the next begins. */
async function goOn(
  begun: Entry,
  context: TransferContext,
  receipt: Receipt,
  { state, isNew, plannedAs }: { state: State; isNew: boolean; plannedAs?: string },
): Promise<void> {
  const { journal } = context
  const { uploadRequestId } = begun
  let entry = begun
  // A creation whose end nobody saw may have been carried out.
  let isUncertain = !isNew
  let duplicate: Failure | undefined
  const withScope = (change: Change): Change => ({
    scopeId: context.caller.scopeId ?? entry.scopeId,
    ...change,
  })
  const note = (change: Change) => {
    entry = journal.change(uploadRequestId, withScope(change))
    fill(receipt, entry)
  }
  // Once the file has arrived, a busy journal must not fail the upload.
  const noteArrival = async (change: Change) => {
    entry = await journal.changeWhenFree(uploadRequestId, withScope(change), context.signal)
    fill(receipt, entry)
  }
  fill(receipt, entry)
  try {
    if (entry.stage === 'finished') {
      receipt.outcome = 'skipped'
      return
    }
    if (entry.stage === 'created' && hasArrived(state)) await noteArrival(isSent)
    if (entry.stage === 'planned' || entry.stage === 'created') {
      await context.limits.send(async () => {
        if (context.halt.aborted) throw notBegun()
        await mustBeUnchanged(entry)
        // A session lives for a limited time, so it is asked for only when its file is about to be sent.
        if (entry.stage === 'planned') {
          context.creating.add(uploadRequestId)
          try {
            const { session, ...created } = await create(entry, context, {
              mayBeMade: isUncertain,
              onUnclear() {
                isUncertain = true
              },
            })
            note({ ...created, stage: 'created', ...(session && withSession(session, context.clock.now())) })
          } finally {
            context.creating.delete(uploadRequestId)
          }
          if (isUncertain) duplicate = await findDuplicates(entry, context)
        }
        const sha256 = await sendAndHash(entry, context, plannedAs)
        await mustBeUnchanged(entry)
        await noteArrival({ ...isSent, sha256 })
      })
    }
    receipt.outcome = 'uploaded'
    if (context.processingTimeout > 0) await waitUntilProcessed(entry, receipt.file, context, noteArrival)
    if (duplicate) throw duplicate
  } catch (error) {
    if (error instanceof Failure) {
      if (failureOfStatus(entry.uploadStatus, '') !== undefined) receipt.outcome = 'failed'
      // Nothing was made by a creation that the service refused, so nothing is left to go on with.
      if (entry.stage === 'planned' && isRefusal(error) && !isUncertain) journal.forget(uploadRequestId)
      else if (error.code !== 'not_begun' && error.code !== 'journal_busy') noteFailure(entry, error, context)
    }
    throw error
  }
}

// Each stage that is reached leaves behind what stopped the upload before.
const hasNoError = { errorCode: null, errorMessage: null }
const isSent = { stage: 'sent', session: null, sessionEnds: null, ...hasNoError } as const
const isFinished = { stage: 'finished', ...hasNoError } as const

/** Writes down why an upload stopped. That this cannot be written must not hide why it stopped. */
function noteFailure(
  { uploadRequestId }: Entry,
  { code, message }: Failure,
  { journal }: TransferContext,
): void {
  try {
    journal.change(uploadRequestId, { errorCode: code, errorMessage: message })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

function fill(
  receipt: Receipt,
  { sha256, publicationId, editionId, uploadRequestId, uploadStatus }: Entry,
): void {
  Object.assign(receipt, { sha256, publicationId, editionId, uploadRequestId, uploadStatus })
}

async function mustBeUnchanged({ file, bytes, modified }: Entry): Promise<void> {
  const now = await stat(file).catch(error => {
    throw unreadable(file, error)
  })
  if (now.size !== bytes || now.mtimeMs !== modified) throw changedWhileSent(file)
}

/** Sends the file, and gives its hash; nothing where that fails, since the file has arrived all the same. */
async function sendAndHash(
  entry: Entry,
  context: TransferContext,
  plannedAs: string | undefined,
): Promise<string | null> {
  const stop = new AbortController()
  const hashing =
    entry.sha256 === null
      ? sha256Of(entry.file, entry.bytes, AbortSignal.any([context.signal, stop.signal]))
      : Promise.resolve(entry.sha256)
  hashing.catch(() => undefined)
  try {
    await sendAll(entry, context, plannedAs === undefined ? undefined : context.covers.get(plannedAs))
    if (plannedAs !== undefined) context.covers.drop(plannedAs)
    return await hashing.catch(error => {
      if (!context.signal.aborted) {
        context.onWarning({
          code: 'not_hashed',
          message: `${entry.file} was sent, but not hashed: ${messageOf(error)}`,
        })
      }
      return null
    })
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function statusOf(
  { publicationId, editionId }: Pick<Entry, 'publicationId' | 'editionId'>,
  { call, limits }: TransferContext,
  timeout?: number,
): Promise<string | null> {
  if (publicationId === null) return null
  const edition = await limits.ask(async () =>
    editionId === null
      ? newestEdition((await call(publications.get, { id: publicationId }, { timeout })).item)
      : (await call(editions.get, { id: publicationId, editionid: editionId }, { timeout })).item,
  )
  return textOf(edition?.uploadStatus)
}

async function waitUntilProcessed(
  entry: Entry,
  name: string,
  context: TransferContext,
  note: (change: Change) => Promise<void>,
): Promise<void> {
  const ask = async (left: number) => {
    const uploadStatus = await statusOf(entry, context, left)
    await note({ uploadStatus, ...(isFinalStatus(uploadStatus) ? isFinished : {}) })
    context.onStep(entry.file, { step: 'state', text: uploadStatus ?? 'waiting' })
    return uploadStatus
  }
  const failure = failureOfStatus(
    await poll(ask, isFinalStatus, { ...context, timeout: context.processingTimeout }),
    name,
  )
  if (failure) throw failure
}

/** Waits while another process, or another file of the batch, carries out the same upload. */
async function untilFree(
  { uploadRequestId, file }: Entry,
  { journal, clock, signal, onStep }: TransferContext,
): Promise<void> {
  onStep(file, { step: 'state', text: 'another pubctl is uploading it' })
  while (!journal.claim(uploadRequestId)) {
    if (!journal.get(uploadRequestId)) return
    await clock.sleep(250, signal)
  }
  journal.release(uploadRequestId)
}

const struckOut = ({ uploadRequestId, file }: Entry) =>
  new UsageFailure(`the upload ${uploadRequestId} of ${file} is no longer in the journal`, {
    code: 'unknown_upload',
  })

const gone = ({ uploadRequestId, file, publicationId }: Entry) =>
  new Failure(`the service does not know the publication ${publicationId} that was begun for ${file}`, {
    code: 'upload_gone',
    exitCode: exitCodes.notFound,
    hint: `Is this the right key? If it was deleted: pubctl uploads forget ${uploadRequestId}`,
  })
