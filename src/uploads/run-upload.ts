import { actions } from '../plan/actions.ts'
import { decideBegun } from '../plan/decide.ts'
import { changedWhileSent } from '../service/client/upload-body.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { continueUpload } from './continue-upload.ts'
import type { Entry, NewEntry } from './journal/entry.ts'
import type { Begun, Journal } from './journal/journal.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import { begunOf } from './lookup/gather.ts'
import { contentKey } from './lookup/metadata-keys.ts'
import { failureOfStatus } from './outcome.ts'
import { type State, uploadStateOf } from './processing.ts'
import type { KeptFiles } from './reading/kept-files.ts'
import type { Receipt } from './receipt.ts'
import type { TransferContext } from './transfer-context.ts'

/** How an upload is found in the journal, or begun there. */
export interface Claim<J extends Journal = Journal> {
  /** Claims it; called again while another process has it. */
  take(context: TransferContext<J>): Promise<Begun>
  /** Leaves one that cannot be continued, so that another is taken; without this, it is a failure. */
  leave?(begun: Begun, state: State, context: TransferContext<J>): void
  /** The upload request under which its files were kept. */
  readonly plannedAs?: string
}

/** What the journal stores of an upload that is to begin, before it is known who carries it out. */
export type NewUpload = Omit<NewEntry, 'target' | 'scopeId' | 'keyDigest'>

const entryOf = (upload: NewUpload, { caller }: Pick<TransferContext, 'caller'>): NewEntry => {
  const { target, scopeId, keyDigest } = caller
  return { target, scopeId, keyDigest, ...upload }
}

/** Carries out an upload, or continues it from its stage in the journal. */
export async function runUpload<J extends Journal>(
  claim: Claim<J>,
  context: TransferContext<J>,
  receipt: Receipt,
): Promise<void> {
  for (;;) {
    const begun = await claim.take(context)
    const { entry, isClaimed, isNew, isChanged, mayBeSent = !isNew } = begun
    if (!isClaimed) {
      await untilFree(entry, context)
      continue
    }
    try {
      const state = isNew ? null : await uploadStateOf(entry, context)
      const step = isNew ? undefined : decideBegun(begunOf(entry, state, isChanged))
      if (isNew || step) {
        if (step && actions[step.action].carriedOutBy === 'nobody') receipt.why = step.why
        const { plannedAs } = claim
        return await continueUpload(entry, context, receipt, { state, isNew, mayBeSent, plannedAs })
      }
      if (claim.leave === undefined) throw whyNotContinued(begun, state)
      claim.leave(begun, state, context)
    } finally {
      await context.journal.release(entry.uploadRequestId)
    }
  }
}

interface SameOptions {
  /** The file's id in the journal's queue, if it is there. */
  readonly queued: string | undefined
  /**
   * The latest uploads of the file that were finished when the service was asked, which were considered as all before them were. By
   * their ids, since the clock may be set back.
   */
  readonly considered: ReadonlySet<string>
  /** As the user wrote it. */
  readonly path: string
}

/** The same upload of this machine, of whatever id, or a new one. One that cannot be continued is left for a new one. */
export function claimSame(upload: NewUpload, { queued, considered, path }: SameOptions): Claim<LocalJournal> {
  const excluded = new Set<string>()
  let inQueue = queued
  let isConsidered = false
  return {
    plannedAs: upload.uploadRequestId,
    async take(context) {
      const { journal } = context
      for (;;) {
        const begun = await journal.beginSame(entryOf(upload, context), { queued: inQueue, excluded })
        inQueue = undefined
        const { uploadRequestId, stage } = begun.entry
        // The journal gives the latest first.
        isConsidered ||= considered.has(uploadRequestId)
        if (!begun.isClaimed || stage !== 'finished' || !isConsidered) return begun
        excluded.add(uploadRequestId)
        journal.release(uploadRequestId)
      }
    },
    leave({ entry, isChanged }, state, { onWarning }) {
      excluded.add(entry.uploadRequestId)
      if (!isChanged || state === 'gone') return
      onWarning({
        code: 'file_changed',
        message: `${path} has changed since publication ${entry.publicationId} was made of it, so it becomes another one`,
      })
    },
  }
}

/** The upload with the id of its creation, in whatever process it was begun. Its SHA-256 must be that of the plan. */
export const claimPlanned = (upload: NewUpload, files: KeptFiles): Claim => ({
  plannedAs: upload.uploadRequestId,
  async take(context) {
    context.kept.keep(upload.uploadRequestId, files)
    const begun = await context.journal.begin(entryOf(upload, context))
    const told = begun.entry.creation.edition.metadata?.[contentKey]
    return { ...begun, isChanged: begun.isChanged && told !== upload.sha256 }
  },
})

/** An upload that is in the journal. */
export const claimBegun = ({ uploadRequestId, file }: Pick<Entry, 'uploadRequestId' | 'file'>): Claim => ({
  async take({ journal }) {
    const isClaimed = await journal.claim(uploadRequestId)
    const entry = await journal.get(uploadRequestId)
    if (entry) return { entry, isClaimed, isNew: false, isChanged: false }
    if (isClaimed) await journal.release(uploadRequestId)
    throw new UsageFailure(`the upload ${uploadRequestId} of ${file} is no longer in the journal`, {
      code: 'unknown_upload',
    })
  },
})

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

function whyNotContinued({ entry, isChanged }: Begun, state: State): Failure {
  const { uploadRequestId, file, publicationId } = entry
  const failed = failureOfStatus(state, file, entry)
  if (failed) return failed
  if (isChanged && state !== 'gone') return changedWhileSent(file)
  return new Failure(
    `the service does not know the publication ${publicationId} that was begun for ${file}`,
    {
      code: 'upload_gone',
      exitCode: exitCodes.notFound,
      hint: `Is this the right key? If it was deleted: pubctl uploads forget ${uploadRequestId}`,
    },
  )
}
