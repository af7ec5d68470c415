import { decideBegun } from '../plan/decide.ts'
import { creationFor, type UploadPlan } from '../plan/upload-plan.ts'
import { changedWhileSent } from '../service/client/upload-body.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { continueUpload } from './continue-upload.ts'
import type { Entry, NewEntry } from './journal/entry.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import { fingerprintOf } from './lookup/fingerprint.ts'
import { begunOf } from './lookup/gather.ts'
import { contentKey } from './lookup/metadata-keys.ts'
import { failureOfStatus } from './outcome.ts'
import { uploadStateOf } from './processing.ts'
import { emptyReceipt, type Result } from './receipt.ts'
import { settle } from './settle.ts'
import type { TransferContext } from './transfer-context.ts'

interface RunOptions {
  /** The publication to add an edition to; null for a publication of its own. */
  readonly editionOf: string | null
  /** The file's id in the journal's queue, if it is there. */
  readonly queued?: string | undefined
  /** The file's SHA-256, if it was computed for this upload. */
  readonly sha256?: string | null | undefined
  /** When the service was asked for the file: uploads that finished earlier have been considered. */
  readonly decidedAt?: number | undefined
  /** The metadata key to store the SHA-256 in. */
  readonly contentAs?: string | undefined
}

/** The journal's entry of an upload that is to begin. */
function entryOf(
  plan: UploadPlan,
  { caller: { target, scopeId, keyDigest } }: TransferContext,
  {
    editionOf,
    sha256,
    contentAs,
  }: { editionOf: string | null; sha256: string | null; contentAs: string | undefined },
): NewEntry {
  const { file, bytes, modified, cover } = plan
  const creation = creationFor(plan, editionOf, { key: contentAs, sha256 })
  return {
    ...{ target, scopeId, keyDigest },
    ...{ file, bytes, modified, creation, cover, editionOf, sha256 },
    uploadRequestId: creation.uploadRequestId,
    fingerprint: fingerprintOf(plan, editionOf),
  }
}

/** Uploads one file, or continues the same upload from its stage in the journal. */
export async function runUpload(
  plan: UploadPlan,
  shared: TransferContext<LocalJournal>,
  { editionOf, queued, decidedAt = 0, contentAs, ...known }: RunOptions,
): Promise<Result> {
  const { journal } = shared
  const { file, bytes, modified } = plan
  const sha256 = known.sha256 ?? plan.sha256 ?? journal.knownHash(file, bytes, modified)
  const wanted = entryOf(plan, shared, { editionOf, sha256, contentAs })
  const { creation } = wanted
  const receipt = {
    ...emptyReceipt(plan.path),
    bytes,
    type: creation.edition.type,
    warnings: [...plan.warnings],
  }
  return await settle(receipt, shared, async context => {
    const excluded = new Set<string>()
    for (let inQueue = queued; ; inQueue = undefined) {
      const { entry, isClaimed, isNew, isChanged } = journal.beginSame(wanted, {
        queued: inQueue,
        excluded,
      })
      if (!isClaimed) {
        await untilFree(entry, context)
        continue
      }
      try {
        const isKnown = entry.stage === 'finished' && entry.changedAt < decidedAt
        const state = isNew || isKnown ? null : await uploadStateOf(entry, context)
        const step = isKnown ? undefined : decideBegun(begunOf(entry, state, isChanged))
        if (isNew || step) {
          if (step?.action === 'skip') receipt.why = step.why
          return await continueUpload(entry, context, receipt, {
            state,
            isNew,
            plannedAs: creation.uploadRequestId,
          })
        }
        excluded.add(entry.uploadRequestId)
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

/**
 * Carries out an upload of a plan, or continues it: the one with the id of its creation, in whatever process it was begun.
 * The SHA-256 of the file must be that of the plan.
 */
export async function runPlannedUpload(
  plan: UploadPlan & { readonly sha256: string },
  shared: TransferContext,
  editionOf: string | null,
): Promise<Result> {
  const { journal } = shared
  const { file, sha256 } = plan
  const wanted = entryOf(plan, shared, { editionOf, sha256, contentAs: undefined })
  const receipt = { ...emptyReceipt(file), bytes: plan.bytes, type: plan.creation.edition.type }
  return await settle(receipt, shared, async context => {
    for (;;) {
      const { entry, isClaimed, isNew, isChanged } = await journal.begin(wanted)
      if (!isClaimed) {
        await untilFree(entry, context)
        continue
      }
      try {
        const state = isNew ? null : await uploadStateOf(entry, context)
        const told = entry.creation.edition.metadata?.[contentKey]
        const step = decideBegun(begunOf(entry, state, isChanged && told !== sha256))
        if (!isNew && !step)
          throw (
            failureOfStatus(state, file, entry) ?? (state === 'gone' ? gone(entry) : changedWhileSent(file))
          )
        if (step?.action === 'skip') receipt.why = step.why
        return await continueUpload(entry, context, receipt, {
          ...{ state, isNew, plannedAs: wanted.uploadRequestId },
        })
      } finally {
        await journal.release(entry.uploadRequestId)
      }
    }
  })
}

/** Continues an upload of the journal. */
export async function resumeUpload(entry: Entry, shared: TransferContext): Promise<Result> {
  const { uploadRequestId } = entry
  const receipt = { ...emptyReceipt(entry.file), bytes: entry.bytes, type: entry.creation.edition.type }
  return await settle(receipt, shared, async context => {
    while (!(await context.journal.claim(uploadRequestId))) {
      if ((await context.journal.get(uploadRequestId)) === undefined) throw struckOut(entry)
      await untilFree(entry, context)
    }
    try {
      const now = await context.journal.get(uploadRequestId)
      if (now === undefined) throw struckOut(entry)
      const state = await uploadStateOf(now, context)
      const step = decideBegun(begunOf(now, state, false))
      if (!step) throw failureOfStatus(state, now.file, now) ?? gone(now)
      if (step.action === 'skip') receipt.why = step.why
      await continueUpload(now, context, receipt, { state, isNew: false })
    } finally {
      await context.journal.release(uploadRequestId)
    }
  })
}

/** Waits until no other process, or other file of the batch, has a claim on the same upload. */
async function untilFree(
  { uploadRequestId, file }: Entry,
  { journal, clock, signal, onStep }: TransferContext,
): Promise<void> {
  onStep(file, { step: 'state', text: 'another pubctl is uploading it' })
  while (!(await journal.claim(uploadRequestId))) {
    if (!(await journal.get(uploadRequestId))) return
    await clock.sleep(250, signal)
  }
  await journal.release(uploadRequestId)
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
