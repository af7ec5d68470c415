import { type Action, actions } from '../plan/actions.ts'
import type { Creation } from '../plan/creation.ts'
import { planStepOf } from '../plan/product-step.ts'
import type { Step } from '../plan/step.ts'
import { creationFor, type UploadPlan } from '../plan/upload-plan.ts'
import { originOf, type WantedFile } from '../plan/wanted.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import type { World } from '../system/world.ts'
import type { Ready, Way } from './execute.ts'
import { type FileOptions, isLookedUp } from './file-options.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import { type Deciding, type Decision, openDecider } from './lookup/decider.ts'
import { fingerprintOf } from './lookup/fingerprint.ts'
import { hashOf } from './lookup/hash-of.ts'
import { openLookup, type ServiceLookup } from './lookup/lookup.ts'
import { contentKey } from './lookup/metadata-keys.ts'
import { failureOfStatus } from './outcome.ts'
import { sha256Of } from './reading/hash.ts'
import type { Hash } from './reading/reading.ts'
import type { Result } from './receipt.ts'
import { claimSame } from './run-upload.ts'
import type { TransferContext } from './transfer-context.ts'

interface Deciders
  extends Pick<Deciding, 'journal' | 'caller' | 'onWarning' | 'mayRepeat'>,
    Pick<TransferContext, 'call'>,
    Pick<World, 'signal' | 'mayRead'> {
  readonly limits: { readonly read: Limit; readonly ask: Limit }
  /** All files of the batch. */
  readonly rows: readonly WantedFile[]
  /** Whether the service is searched for what it has of them. */
  readonly isSearched: boolean
}

type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** One file of a batch. */
export interface FileWork {
  readonly row: WantedFile
  readonly index: number
  readonly options: FileOptions
  readonly editionOf: string | null
  /** The file's id in the queue, if it is there. */
  readonly queued?: string | undefined
  /** When its batch began, in milliseconds since 1970. */
  readonly batchBegan: number
  /** Reads the file, and hashes it if `hash` says so. */
  readonly prepare: (hash: Hash) => Promise<UploadPlan>
}

/** The steps of the files of a batch. */
export interface FileSteps {
  readonly lookup: ServiceLookup
  /** Decides on a file, and gives its step to `carryOut`. The files are decided on in their order. */
  next(work: FileWork, carryOut: (ready: Ready<LocalJournal>) => Promise<Result>): Promise<Result>
}

/** Opens what is needed to decide on files: they are compared with the journal, with the service, and with each other. */
export function openFileSteps({
  rows,
  isSearched,
  call,
  limits,
  signal,
  mayRead,
  ...shared
}: Deciders): FileSteps {
  const { journal, caller, onWarning } = shared
  const lookup = openLookup(call, limits.ask, onWarning)
  const hash = hashOf({ rows, isSearched, journal, caller, signal })
  const decider = openDecider({
    ...{ ...shared, lookup, isSearched },
    // What was read before the journal was open is hashed now, if it has to be.
    hash: async plan =>
      plan.sha256 ??
      (await hash(plan, () => limits.read(() => sha256Of(plan.file, plan.bytes, { mayRead, signal })))),
    contentOf: ({ file }, sha256) => sha256 ?? file,
  })
  return {
    lookup,
    async next({ row, index, options, editionOf, queued, batchBegan, prepare }, carryOut) {
      const { ifChanged = 'fail', again = false } = options
      const turn = decider.takeTurn(index)
      try {
        return await turn.decide(
          await prepare(hash),
          { editionOf, ifChanged, again, batchBegan, from: originOf(row) },
          async decision => {
            const isTold = isLookedUp(options) && isUpload(decision.step) && (await lookup.hasContentKey())
            return await carryOut(readyOf(decision, { journal, caller, queued, isTold }))
          },
        )
      } finally {
        turn.end()
      }
    },
  }
}

const isUpload = ({ action }: Step): boolean => actions[action].carriedOutBy === 'upload'

interface ReadyOptions extends Pick<Deciders, 'journal' | 'caller'> {
  /** The file's id in the queue, if it is there. */
  readonly queued: string | undefined
  /** Whether the service is told the SHA-256. */
  readonly isTold: boolean
}

/** A decision as a step that is ready to be carried out. */
function readyOf(decision: Decision, options: ReadyOptions): Ready<LocalJournal> {
  const { plan, wanted, step, there } = decision
  const { key, file, bytes, sha256, type, title = null, from } = wanted
  const { writes, carriedOutBy } = actions[step.action]
  const editionOf = 'editionOf' in step ? step.editionOf : isUpload(step) ? step.publicationId : null
  const creation = creationFor(plan, editionOf, options.isTold ? { key: contentKey, sha256 } : {})
  const begun = 'uploadRequestId' in step ? options.journal.get(step.uploadRequestId) : undefined
  const isCreated = writes && isUpload(step) && begun?.stage !== 'created'
  const sending = isCreated ? { creation: begun?.creation ?? creation, cover: plan.cover, editionOf } : null
  const current = there?.editions.find(({ isCurrent }) => isCurrent) ?? there?.editions[0]
  const publication = there && { fields: there.fields, currentEditionId: current?.editionId ?? null }
  const { author = null } = plan.creation.edition
  const book = { key, file, bytes, sha256, type, title, author, from }
  const line = planStepOf(book, step, publication, sending)
  const facts = { uploadStatus: undefined, editionOf: undefined, failedWith: undefined, ...step }
  const { uploadStatus = facts.failedWith } = facts
  const uploadRequestId = line.uploadRequestId ?? knownRequest(step, options)
  return {
    ...wayOf[carriedOutBy]({ ...decision, ...options, editionOf, creation }),
    step: {
      ...line,
      uploadRequestId,
      warnings: plan.warnings,
      ...given({ checkedBy: plan.checkedBy }),
      ...(uploadStatus !== undefined && { uploadStatus }),
      ...(facts.editionOf !== undefined && { editionOf: facts.editionOf }),
    },
    warnings: plan.warnings,
  }
}

/** The upload of this machine that made what is there. */
function knownRequest(
  { action, publicationId, editionId }: Step,
  { journal, caller }: ReadyOptions,
): string | null {
  if (actions[action].carriedOutBy !== 'nobody' || publicationId === null) return null
  const known = journal.findPublication(caller, publicationId)
  return known.find(each => each.editionId === editionId)?.uploadRequestId ?? null
}

interface Decided extends Decision, Pick<ReadyOptions, 'queued'> {
  readonly editionOf: string | null
  readonly creation: Creation
}

/** What carrying out a step needs besides, by who carries it out. */
const wayOf: { readonly [by in Action['carriedOutBy']]: (decided: Decided) => Way<LocalJournal> } = {
  upload({ plan, wanted, queued, considered, editionOf, creation }) {
    const { path, file, bytes, modified, cover, coverBytes } = plan
    const upload = {
      ...{ file, bytes, modified, cover, creation, editionOf },
      ...{ sha256: wanted.sha256, uploadRequestId: creation.uploadRequestId },
      fingerprint: fingerprintOf(plan, editionOf),
    }
    const { coverFilename: image } = creation
    const isSent = image !== undefined && coverBytes !== undefined
    return {
      ...{ by: 'upload', claim: claimSame(upload, { queued, considered, path }), editionOf },
      cover: isSent ? { file: image, bytes: coverBytes } : undefined,
    }
  },
  update({ step }) {
    const { publicationId, send } = step as Extract<Step, { readonly send: unknown }>
    return { by: 'update', publicationId, send }
  },
  people({ plan: { path }, step }) {
    const { action, why, failedWith, hint } = { hint: blockedHint, failedWith: undefined, ...step }
    const failed = failureOfStatus(failedWith, path)
    const { code, exitCode } = failed ?? { code: action.replace('-', '_'), exitCode: exitCodes.partFailed }
    const message = `${path} was not ${failedWith === undefined ? 'uploaded' : 'sent again'}: ${why}`
    const failure = new Failure(message, { code, exitCode, hint })
    return { by: 'people', failure, outcome: failedWith === undefined ? 'conflict' : 'failed' }
  },
  // What somebody else has sent may still fail. Without a status there is nothing to wait for.
  nobody: ({ step }) => ({ by: 'nobody', isAwaited: 'uploadStatus' in step && step.uploadStatus !== null }),
}

const blockedHint =
  'Leave the fields out, or make a new edition with "pubctl editions upload"; with --again it becomes a publication of its own.'
