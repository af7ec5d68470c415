import type { Creation } from '../plan/creation.ts'
import type { Step } from '../plan/step.ts'
import { creationFor } from '../plan/upload-plan.ts'
import { originOf, type WantedFile } from '../plan/wanted.ts'
import type { Call } from '../service/client/call.ts'
import { Failure, Interrupted } from '../system/errors.ts'
import type { Warning } from '../system/warning.ts'
import type { World } from '../system/world.ts'
import { type FileOptions, isLookedUp } from './file-options.ts'
import type { Caller } from './journal/caller.ts'
import type { LocalJournalReader } from './journal/local-reader.ts'
import { type Decision, openDecider } from './lookup/decider.ts'
import { fingerprintOf } from './lookup/fingerprint.ts'
import { hashOf } from './lookup/hash-of.ts'
import { openLookup, type ServiceLookup } from './lookup/lookup.ts'
import { contentKey } from './lookup/metadata-keys.ts'
import { checkOf, prepareUpload } from './prepare.ts'
import { sha256Of } from './reading/hash.ts'
import { readHere } from './reading/reading.ts'
import { emptyReceipt } from './receipt.ts'

interface DryRun extends Pick<World, 'clock' | 'signal'> {
  readonly rows: readonly WantedFile[]
  /** Whether the failures are those of a batch, even if it has one file. */
  readonly isMany: boolean
  readonly options: FileOptions
  readonly editionOf: string | null
  readonly journal: LocalJournalReader
  readonly caller: Caller
  readonly call: Call
  readonly askTitle: (path: string) => Promise<string>
  readonly onWarning: (warning: Warning) => void
  /** Called with the step of each file. */
  readonly onStep: (decision: Decision, requests: readonly StepRequest[]) => Promise<void>
}

/** A request that would carry out a step. */
export type StepRequest =
  | {
      readonly request: 'update'
      readonly publicationId: string
      readonly send: Extract<Step, { action: 'update' }>['send']
    }
  | { readonly request: 'create'; readonly editionOf: string | null; readonly body: Creation }
  | {
      readonly request: 'send'
      readonly what: 'file' | 'cover'
      readonly file: string
      readonly bytes: number
    }

/** Decides on every file and sends nothing. Returns the failures of a batch; that of a single file is thrown. */
export async function planFiles(run: DryRun): Promise<{ id: string; failure: Failure }[]> {
  const { rows, isMany, options, editionOf, journal, caller, onWarning, clock, signal } = run
  const lookup = openLookup(run.call, work => work(), onWarning)
  const isSearched = isLookedUp(options)
  const decider = openDecider({
    ...{ journal, caller, lookup, isSearched, onWarning, now: clock.now },
    hash: hashOf({
      ...{ rows, isSearched, journal, caller },
      compute: ({ file, bytes }) => sha256Of(file, bytes, signal),
    }),
    contentOf: (plan, sha256) => sha256 ?? fingerprintOf(plan, editionOf),
  })
  const { ifChanged = 'fail', again = false } = options
  const batchBegan = clock.now()
  const failures: { id: string; failure: Failure }[] = []
  for (const [index, row] of rows.entries()) {
    const turn = decider.takeTurn(index)
    try {
      const { plan } = await prepareUpload(row.file, row.overrides, {
        ...{ read: readHere, ...checkOf(options), onWarning, askTitle: run.askTitle },
      })
      await turn.decide(
        plan,
        { editionOf, ifChanged, again, batchBegan, from: originOf(row) },
        async decision => {
          await run.onStep(decision, await requestsOf(decision, journal, isSearched ? lookup : undefined))
          const { publicationId, editionId } = decision.step
          return { receipt: { ...emptyReceipt(plan.path), publicationId, editionId }, failure: undefined }
        },
      )
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof Interrupted || !isMany) throw error
      failures.push({ id: row.file, failure: error })
    } finally {
      turn.end()
    }
  }
  return failures
}

/** The requests of a step, in the order in which they would be made. */
async function requestsOf(
  { plan, wanted, step }: Decision,
  journal: LocalJournalReader,
  lookup: ServiceLookup | undefined,
): Promise<StepRequest[]> {
  if (step.action === 'update')
    return [{ request: 'update', publicationId: step.publicationId, send: step.send }]
  const begun = step.action === 'resume' ? journal.get(step.uploadRequestId) : undefined
  const editionOf = editionOfStep(step)
  if (editionOf === undefined) return []
  const requests: StepRequest[] = []
  if (begun?.stage !== 'created') {
    const content = (await lookup?.hasContentKey()) ? { key: contentKey, sha256: wanted.sha256 } : {}
    const body = begun?.creation ?? creationFor(plan, editionOf, content)
    requests.push({ request: 'create', editionOf, body })
  }
  const { path, bytes, creation, coverBytes } = plan
  if (coverBytes !== undefined && creation.coverFilename !== undefined)
    requests.push({ request: 'send', what: 'cover', file: creation.coverFilename, bytes: coverBytes })
  return [...requests, { request: 'send', what: 'file', file: path, bytes }]
}

/** The publication that gets the file as an edition, null for a new publication; undefined if nothing is sent. */
function editionOfStep(step: Step): string | null | undefined {
  if (step.action === 'create') return null
  if (step.action === 'edition') return step.publicationId
  return step.action === 'resume' ? step.editionOf : undefined
}
