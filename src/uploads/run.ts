import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { poll } from '../client/poll.ts'
import { changed } from '../client/put.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import { Failure, ServiceFailure, UsageFailure } from '../errors.ts'
import { create } from './create.ts'
import { sha256Of } from './hash.ts'
import { type Entry, fingerprintOf } from './journal.ts'
import { failureOfStatus, isTerminal, newestEdition, textOf } from './outcome.ts'
import type { UploadPlan } from './plan.ts'
import { emptyReceipt, type Receipt, type Result } from './receipt.ts'
import { endOf, sendAll } from './send.ts'
import type { Tools } from './tools.ts'

/** Uploads one planned file, or goes on where the journal says that the same upload has come to. */
export async function runUpload(plan: UploadPlan, tools: Tools, editionOf: string | null): Promise<Result> {
  const { journal, target } = tools
  const wanted = {
    ...plan,
    uploadRequestId: plan.creation.uploadRequestId,
    target,
    editionOf,
    fingerprint: fingerprintOf(plan, editionOf),
  }
  const receipt = { ...emptyReceipt(plan.path), bytes: plan.bytes, type: plan.creation.edition.type }
  return await settle(receipt, tools, async () => {
    for (;;) {
      const { entry, isClaimed } = journal.begin(wanted)
      if (!isClaimed) await untilFree(entry, tools)
      else if (entry.stage === 'finished' && !(await isStillThere(entry, tools)))
        journal.forget(entry.uploadRequestId)
      else return await goOn(entry, tools, receipt)
    }
  })
}

/** Goes on with an upload of the journal. */
export async function resumeUpload(entry: Entry, tools: Tools): Promise<Result> {
  const { edition } = entry.creation
  const receipt = { ...emptyReceipt(entry.file), bytes: entry.bytes, type: edition.type }
  return await settle(receipt, tools, async () => {
    while (!tools.journal.claim(entry.uploadRequestId)) await untilFree(entry, tools)
    const now = tools.journal.get(entry.uploadRequestId)
    if (now) await goOn(now, tools, receipt)
  })
}

async function settle(receipt: Receipt, { hide }: Tools, work: () => Promise<void>): Promise<Result> {
  try {
    await work()
    return { receipt, failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    receipt.error = { code: error.code, message: hide(error.message) }
    return { receipt, failure: error }
  }
}

/** Takes an upload from the stage it has reached to its end, and writes down each stage before the next begins. */
async function goOn(begun: Entry, tools: Tools, receipt: Receipt): Promise<void> {
  const { journal } = tools
  const { uploadRequestId } = begun
  let entry = begun
  const note = (change: Parameters<typeof journal.change>[1]) => {
    entry = journal.change(uploadRequestId, change)
    fill(receipt, entry)
  }
  fill(receipt, entry)
  try {
    if (entry.stage === 'finished') {
      receipt.outcome = 'skipped'
      return
    }
    if (begun.stage === 'created' && (await hasArrived(entry, tools))) note({ stage: 'sent', session: null })
    if (entry.stage === 'planned' || entry.stage === 'created') {
      await tools.limits.send(async () => {
        await mustBeUnchanged(entry)
        // A session lives for a limited time, so it is asked for only when its file is about to be sent.
        if (entry.stage === 'planned') {
          const { session, ...created } = await create(entry, tools)
          note({ ...created, stage: 'created', session, sessionEnds: endOf(session, tools.clock.now()) })
        }
        note({ sha256: await sendAndHash(entry, tools) })
        await mustBeUnchanged(entry)
        note({ stage: 'sent', session: null, sessionEnds: null, errorCode: null, errorMessage: null })
      })
    }
    receipt.outcome = 'uploaded'
    if (tools.timeout > 0) await waitUntilProcessed(entry, tools, note)
  } catch (error) {
    if (error instanceof Failure) {
      const failedForGood = failureOfStatus(entry.uploadStatus, '') !== undefined
      if (failedForGood) receipt.outcome = 'failed'
      // Nothing was made by a creation that the service refused, so nothing is left to go on with.
      if (entry.stage === 'planned' && isRefusal(error)) journal.forget(uploadRequestId)
      else note({ errorCode: error.code, errorMessage: tools.hide(error.message) })
    }
    throw error
  } finally {
    journal.release(uploadRequestId)
  }
}

function fill(
  receipt: Receipt,
  { sha256, publicationId, editionId, uploadRequestId, uploadStatus }: Entry,
): void {
  Object.assign(receipt, { sha256, publicationId, editionId, uploadRequestId, uploadStatus })
}

const isRefusal = (error: Failure): boolean => error instanceof ServiceFailure && (error.status ?? 500) < 500

async function mustBeUnchanged({ file, bytes, modified }: Entry): Promise<void> {
  const now = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageFailure(`cannot read ${file}: ${error.code ?? error.message}`, { code: 'file_unreadable' })
  })
  if (now.size !== bytes || now.mtimeMs !== modified) throw changed(file)
}

async function sendAndHash(entry: Entry, tools: Tools): Promise<string> {
  const stop = new AbortController()
  const hashing =
    entry.sha256 === null
      ? sha256Of(entry.file, entry.bytes, AbortSignal.any([tools.signal, stop.signal]))
      : Promise.resolve(entry.sha256)
  hashing.catch(() => undefined)
  try {
    await sendAll(entry, tools)
    return await hashing
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

async function statusOf(
  { publicationId, editionId }: Entry,
  { call, limits }: Tools,
): Promise<string | null> {
  if (publicationId === null) return null
  const edition = await limits.ask(async () =>
    editionId === null
      ? newestEdition((await call(publications.get, { id: publicationId })).item)
      : (await call(editions.get, { id: publicationId, editionid: editionId })).item,
  )
  return textOf(edition?.uploadStatus)
}

/** Whether the file of an upload that was broken off has reached the service all the same. */
async function hasArrived(entry: Entry, tools: Tools): Promise<boolean> {
  const status = await statusOf(entry, tools)
  return status === 'uploaded' || isTerminal(status)
}

/** Whether what was uploaded once has not been deleted since. */
async function isStillThere(entry: Entry, tools: Tools): Promise<boolean> {
  try {
    return (await statusOf(entry, tools)) === 'available'
  } catch (error) {
    if (error instanceof ServiceFailure && error.status === 404) return false
    throw error
  }
}

async function waitUntilProcessed(
  entry: Entry,
  tools: Tools,
  note: (change: { uploadStatus: string | null; stage?: 'finished' }) => void,
): Promise<void> {
  const ask = async () => {
    const uploadStatus = await statusOf(entry, tools)
    note({ uploadStatus, ...(isTerminal(uploadStatus) ? { stage: 'finished' } : {}) })
    tools.onStep(entry.file, { step: 'state', text: uploadStatus ?? 'waiting' })
    return uploadStatus
  }
  const failure = failureOfStatus(await poll(ask, isTerminal, tools), basename(entry.file))
  if (failure) throw failure
}

/** Waits while another process carries out the same upload. */
async function untilFree(
  { uploadRequestId, file }: Entry,
  { journal, clock, signal, onStep }: Tools,
): Promise<void> {
  onStep(file, { step: 'state', text: 'another pubctl is uploading it' })
  while (!journal.claim(uploadRequestId)) {
    if (!journal.get(uploadRequestId)) return
    await clock.sleep(250, signal)
  }
  journal.release(uploadRequestId)
}
