import { type Action, actions } from '../../plan/actions.ts'
import type { ChangeableFields } from '../../plan/book-fields.ts'
import { fieldsOfCreation } from '../../plan/creation.ts'
import { changeableDifferencesOf, comparableFields, fixedDifferencesOf } from '../../plan/differences.ts'
import type { KnownEdition } from '../../plan/known.ts'
import { compareContent, isSent } from '../../plan/match.ts'
import type { Before, PlanStep } from '../../plan/plan-step.ts'
import { keyName } from '../../plan/wanted.ts'
import { clockSkew } from '../../service/client/clock-skew.ts'
import { stat } from '../../system/files.ts'
import { unreadable } from '../../system/unreadable.ts'
import type { AskedChecks } from '../../uploads/asked-checks.ts'
import type { Ready } from '../../uploads/execute.ts'
import type { Entry } from '../../uploads/journal/entry.ts'
import { knownPublication } from '../../uploads/lookup/known-publication.ts'
import { openLookup } from '../../uploads/lookup/lookup.ts'
import { coverFor } from '../../uploads/reading/cover.ts'
import { hashOfFile } from '../../uploads/reading/hash.ts'
import { bookIn, type KeptFiles } from '../../uploads/reading/kept-files.ts'
import { claimBegun, claimPlanned } from '../../uploads/run-upload.ts'
import { changedSince, currentEdition } from './before.ts'
import { checkedStep } from './check-step.ts'
import type { CreatedSince } from './created-since.ts'
import type { ExamineContext } from './examine-context.ts'
import { type FoundPublication, keyAtService } from './key-at-service.ts'
import { editionOfUpload } from './same-upload.ts'
import { staleFailure } from './stale-failure.ts'
import { undecided } from './undecided.ts'
import { editionOfStep, isUploadStep, type UploadStep, uploadOfStep } from './upload-of-step.ts'

export interface ExamineOptions {
  readonly createdSince: CreatedSince
  /** The metadata key by which books were matched. */
  readonly match: string
  /** What the books of uploads are checked by that nobody but pubctl has checked yet. */
  readonly asked?: AskedChecks | undefined
  /** Whether the service may be asked for an upload session, as `--dry-run` may not. */
  readonly mayAskForSession: boolean
}

/** Makes a step of a plan ready, as the service, the journal and the file are now. */
export const readyStep = async (
  step: PlanStep,
  context: ExamineContext,
  options: ExamineOptions,
): Promise<Ready> => await examine[actions[step.action].carriedOutBy](step, context, options)

const examine: {
  readonly [by in Action['carriedOutBy']]: (
    step: PlanStep,
    context: ExamineContext,
    options: ExamineOptions,
  ) => Ready | Promise<Ready>
} = {
  upload: examineUpload,
  update: examineUpdate,
  people: step => ({ by: 'people', step, failure: undecided(step), outcome: 'conflict' }),
  nobody: step => ({ by: 'nobody', isAwaited: step.uploadStatus !== undefined, step }),
}

async function examineUpload(
  step: PlanStep,
  context: ExamineContext,
  options: ExamineOptions,
): Promise<Ready> {
  const { uploadRequestId } = step
  const entry = uploadRequestId === null ? undefined : await context.journal.get(uploadRequestId)
  if (entry?.stage === 'sent') return begun({ ...step, action: 'wait', why: 'it was sent before' }, entry)
  if (entry?.stage === 'finished')
    return begun({ ...step, action: 'skip', why: 'it was uploaded before' }, entry)
  if (!isUploadStep(step))
    return entry
      ? begun(step, entry)
      : stale(step, 'it was begun on another machine, and the plan does not say how to begin it here')
  const file = await plannedFile(step, context)
  if (file === undefined) return stale(step, 'its file changed since the plan was made')
  const settled = entry?.stage === 'created' ? undefined : await examineService(step, entry, context, options)
  if (settled) {
    // What another process has begun and sent while the service was asked is gone on with: nobody else may note how it ends.
    const isBegunNow = entry === undefined && (await context.journal.get(step.uploadRequestId)) !== undefined
    return isBegunNow ? await examineUpload(step, context, options) : settled
  }
  const editionOf = entry ? entry.editionOf : editionOfStep(step)
  const checked = await checkedStep(step, context, options.asked)
  const upload = uploadOfStep(checked, file.modified, editionOf)
  const { warnings } = checked
  return { by: 'upload', step: checked, editionOf, claim: claimPlanned(upload, file.kept), warnings }
}

const begun = (step: PlanStep, entry: Entry): Ready => ({
  ...{ by: 'upload', step, editionOf: entry.editionOf, claim: claimBegun(entry) },
})

/** A step that does not fit the service, the file or the journal any more. */
export const stale = (step: PlanStep, why: string, hint?: string): Ready => ({
  ...{ by: 'people', outcome: 'stale', failure: staleFailure(step, why, hint) },
  step: { ...step, action: 'stale', why },
})

/** A step's file as it was read. */
interface PlannedFile {
  /** In milliseconds since 1970. */
  readonly modified: number
  readonly kept: KeptFiles
}

/** The file of a step, if it still has the planned content. It is read once, for its hash and the cover in it. */
async function plannedFile(step: UploadStep, context: ExamineContext): Promise<PlannedFile | undefined> {
  const { file, bytes, sha256, cover, send } = step
  const { limits, signal, mayRead, read } = context
  const reading =
    cover === 'auto' && send.coverFilename !== undefined
      ? await limits
          .read(async () => await read?.(file, mayRead, true, (_, compute) => compute(signal)))
          .catch(() => undefined)
      : undefined
  // What is no book any more is not the planned content either.
  if (reading === undefined) return await hashedFile(step, context)
  if (reading.bytes !== bytes || reading.sha256 !== sha256) return undefined
  const image = await coverFor(reading, cover as 'auto', mayRead)
  return { modified: reading.modified, kept: { cover: image, book: bookIn(reading) } }
}

async function hashedFile(
  { file, bytes, sha256 }: UploadStep,
  { limits, signal, mayRead }: ExamineContext,
): Promise<PlannedFile | undefined> {
  const state = () =>
    stat(file).catch(error => {
      throw unreadable(file, error)
    })
  const before = await state()
  if (before.size !== bytes) return undefined
  const hashed = await limits.read(() => hashOfFile(file, bytes, { mayRead, signal }))
  if (hashed.sha256 !== sha256) return undefined
  const after = await state()
  if (after.mtimeMs !== before.mtimeMs || after.size !== bytes) return undefined
  return { modified: after.mtimeMs, kept: { book: bookIn(hashed) } }
}

/** Undefined if the service is as it was when the step was planned. */
async function examineService(
  step: UploadStep,
  entry: Entry | undefined,
  context: ExamineContext,
  options: ExamineOptions,
): Promise<Ready | undefined> {
  const { key, before } = step
  const id = editionOfStep(step)
  const name = keyName(options.match)
  const isKeyed = key !== null && !key.startsWith('sha256:')
  const found = id === null ? await keyAtService(step, options, context) : await findPublication(id, context)
  if (found === undefined) return id === null ? undefined : stale(step, `${id} is no longer at the service`)
  const { publicationId } = found.known
  const changed =
    id === null
      ? `it has ${isKeyed ? `the ${name} ${key}` : 'its file'}`
      : changedSince(before as Before, found.known)
  if (changed === undefined) return undefined
  const [evidence, current] = await evidenceOf(step, found, context)
  if (evidence === 'content') return done(step, found, current, `${publicationId} has the same content`)
  if (entry && mayBeOf(entry, found)) return undefined
  const own = options.mayAskForSession ? await editionOfUpload(step, found, context) : undefined
  if (own === undefined) {
    return evidence === 'size'
      ? done(
          step,
          found,
          current,
          `${publicationId} has the same ${isKeyed ? `${name}, ` : ''}size and title`,
        )
      : stale(step, `${publicationId} is not as it was when the plan was made: ${changed}`)
  }
  // The state does not tell whether its file has arrived.
  if (own.uploadStatus === null || own.uploadStatus === 'upload_pending') return undefined
  return done(step, found, own, 'it was uploaded from another machine')
}

/**
 * Whether an upload that was planned in the journal may have made the newest edition of a publication, before its process
 * ended. Its creation is then repeated, for which the service returns what it made.
 */
function mayBeOf({ startedAt }: Entry, { item, known }: FoundPublication): boolean {
  const [newest] = known.editions
  const edition = item.editions?.find(({ id }) => id === newest?.editionId)
  return (
    newest?.uploadStatus === 'upload_pending' &&
    Date.parse(edition?.editionCreated ?? '') >= startedAt - clockSkew
  )
}

/**
 * What shows that the current edition, where it is newer than the plan, is what the step is to make: its fields are the same,
 * its file has arrived, and that has the same content, or the same size where the service says no more.
 */
async function evidenceOf(
  { before, sha256, bytes, send }: UploadStep,
  { item, known }: FoundPublication,
  context: ExamineContext,
): Promise<['content' | 'size' | undefined, KnownEdition | undefined]> {
  const { publicationId } = known
  const entries = await context.journal.findPublication(context.caller, publicationId)
  const current = currentEdition(knownPublication(publicationId, item, entries))
  if (current === undefined || current.editionId === before?.currentEditionId || !isSent(current))
    return [undefined, current]
  const { title, author, metadata } = fieldsOfCreation(send)
  const { comparable, unknown } = comparableFields({ title, author, metadata }, current.fields)
  const isSameBook = fixedDifferencesOf(comparable, current.fields).length === 0
  const content = isSameBook && compareContent({ sha256, bytes }, current)
  if (content === 'same') return ['content', current]
  const isTitled = title !== undefined && !unknown.includes('title')
  return [content === 'same size' && isTitled ? 'size' : undefined, current]
}

async function examineUpdate(step: PlanStep, context: ExamineContext): Promise<Ready> {
  const { publicationId } = step
  const found = await findPublication(publicationId as string, context)
  if (found === undefined) return stale(step, `${publicationId} is no longer at the service`)
  const { known } = found
  const send = step.send as ChangeableFields
  if (changeableDifferencesOf(send, known.fields).length === 0)
    return {
      ...done(step, found, currentEdition(known), `${publicationId} has these values already`),
      isAwaited: false,
    }
  const changed = changedSince(step.before as Before, known)
  return changed === undefined
    ? { by: 'update', step, send, publicationId: known.publicationId }
    : stale(step, `${publicationId} is not as it was when the plan was made: ${changed}`)
}

export async function findPublication(
  id: string,
  context: ExamineContext,
): Promise<FoundPublication | undefined> {
  const item = await openLookup(context.call, context.limits.ask).publication(id)
  // Fields that the service does not return must not be taken from the journal, which may be another's.
  return item && { item, known: knownPublication(id, item, []) }
}

/** A step that has been done by now, be it by another hand. */
export const done = (
  step: PlanStep,
  { known: { publicationId } }: FoundPublication,
  edition: { editionId: string | null; uploadStatus: string | null } | undefined,
  why: string,
): Extract<Ready, { readonly by: 'nobody' }> => ({
  ...{ by: 'nobody', isAwaited: true },
  step: {
    ...{ ...step, action: 'skip', why, publicationId },
    editionId: edition?.editionId ?? null,
    uploadStatus: edition?.uploadStatus ?? null,
    editionOf: editionOfStep(step),
  },
})
