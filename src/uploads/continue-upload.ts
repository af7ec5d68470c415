import { isRefusal } from '../service/client/retryable.ts'
import { Failure } from '../system/errors.ts'
import { create } from './create.ts'
import { findDuplicates } from './duplicates.ts'
import { type Change, type Entry, sentChange } from './journal/entry.ts'
import type { Begun } from './journal/journal.ts'
import { failureOfStatus } from './outcome.ts'
import { hasArrived, type State, waitUntilProcessed } from './processing.ts'
import { notBegun, type Receipt } from './receipt.ts'
import { mustBeUnchanged, sendAll } from './send.ts'
import { withSession } from './session.ts'
import { sha256OfSent } from './sha256-of-sent.ts'
import type { TransferContext } from './transfer-context.ts'

interface ContinueOptions extends Required<Pick<Begun, 'isNew' | 'mayBeSent'>> {
  readonly state: State
  /** The upload request under which its files were kept. */
  readonly plannedAs: string | undefined
}

/**
 * Continues an upload from its stage to its end. Each stage is stored before the next begins, except that a file has arrived while its
 * processing is waited for: the service says so again to whoever asks.
 */
export async function continueUpload(
  begun: Entry,
  context: TransferContext,
  receipt: Receipt,
  { state, isNew, mayBeSent, plannedAs }: ContinueOptions,
): Promise<void> {
  const { journal } = context
  const { uploadRequestId } = begun
  let entry = begun
  // An earlier request whose answer was lost may have created it.
  let isUncertain = !isNew
  let duplicate: Failure | undefined
  const withScope = (change: Change): Change => ({
    scopeId: context.caller.scopeId ?? entry.scopeId,
    ...change,
  })
  const note = async (change: Change) => {
    entry = await journal.change(uploadRequestId, withScope(change))
    fill(receipt, entry)
  }
  // Once the file has arrived, a busy journal must not fail the upload.
  const noteArrival = async (change: Change) => {
    entry = await journal.changeWhenFree(uploadRequestId, withScope(change), context.signal)
    fill(receipt, entry)
  }
  const noteSoon = async (change: Change) => {
    entry = await journal.changeSoon(uploadRequestId, withScope(change), context.signal)
    fill(receipt, entry)
  }
  const isAwaited = context.processingTimeout > 0
  fill(receipt, entry)
  try {
    if (entry.stage === 'finished') {
      receipt.outcome = 'skipped'
      return
    }
    if (entry.stage === 'created' && hasArrived(state))
      await noteArrival({ ...sentChange, sha256: entry.sha256 ?? (await sha256OfSent(entry, context)) })
    if (entry.stage === 'planned' || entry.stage === 'created') {
      await context.limits.send(async () => {
        if (context.halt.aborted) throw notBegun()
        await mustBeUnchanged(entry)
        // A session expires, so it is requested only when its file is about to be sent.
        if (entry.stage === 'planned') {
          context.creating.add(uploadRequestId)
          try {
            const { session, hasFile, ...created } = await create(entry, context, {
              mayBeMade: isUncertain || mayBeSent,
              onUnclear() {
                isUncertain = true
              },
            })
            await note({
              ...created,
              stage: 'created',
              ...(session && withSession(session, context.clock.now())),
            })
            if (hasFile) {
              await noteArrival({
                ...sentChange,
                sha256: entry.sha256 ?? (await sha256OfSent(entry, context)),
              })
              return
            }
          } finally {
            context.creating.delete(uploadRequestId)
          }
          if (isUncertain) duplicate = await findDuplicates(entry, context)
        }
        const kept = plannedAs === undefined ? {} : context.kept.get(plannedAs)
        const sha256 = await sendAll(entry, context, kept)
        if (plannedAs !== undefined) context.kept.drop(plannedAs)
        await mustBeUnchanged(entry)
        await (isAwaited ? noteSoon : noteArrival)({ ...sentChange, sha256 })
      })
    }
    receipt.outcome = 'uploaded'
    if (isAwaited) {
      const note = (change: Change) => (change.stage === 'finished' ? noteArrival : noteSoon)(change)
      await waitUntilProcessed(entry, receipt.file ?? entry.file, context, note)
    }
    if (duplicate) throw duplicate
  } catch (error) {
    if (error instanceof Failure) {
      if (failureOfStatus(entry.uploadStatus, '') !== undefined) receipt.outcome = 'failed'
      // A creation that the service refused has created nothing, so there is nothing to continue.
      if (entry.stage === 'planned' && isRefusal(error) && !isUncertain && !mayBeSent)
        await journal.forget(uploadRequestId)
      else if (error.code !== 'not_begun' && error.code !== 'journal_busy')
        await noteFailure(entry, error, context)
    }
    throw error
  }
}

/** Stores why an upload stopped. A failure to store it must not hide the reason. */
async function noteFailure(
  { uploadRequestId }: Entry,
  { code, message }: Failure,
  { journal }: TransferContext,
): Promise<void> {
  try {
    await journal.change(uploadRequestId, { errorCode: code, errorMessage: message })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

function fill(
  receipt: Receipt,
  { sha256, publicationId, editionId, uploadRequestId, uploadStatus, creation }: Entry,
): void {
  const { title = receipt.title, author = receipt.author } = creation.edition
  Object.assign(receipt, { title, author, sha256, publicationId, editionId, uploadRequestId, uploadStatus })
}
