import { actions } from '../../plan/actions.ts'
import { fieldsOfCreation } from '../../plan/creation.ts'
import { decide } from '../../plan/decide.ts'
import { type InBatch, type Known, type KnownPublication, nothingKnown } from '../../plan/known.ts'
import { hasFailed } from '../../plan/match.ts'
import { warningsOf } from '../../plan/other-book.ts'
import type { Step } from '../../plan/step.ts'
import { type UploadPlan, wantedOf } from '../../plan/upload-plan.ts'
import type { IfChanged, Origin, Wanted } from '../../plan/wanted.ts'
import type { Warning } from '../../system/warning.ts'
import type { Result } from '../receipt.ts'
import { type GatherOptions, gather } from './gather.ts'

interface DeciderOptions {
  readonly editionOf: string | null
  readonly ifChanged: IfChanged
  readonly again: boolean
  /** When the file's batch began: publications that it created since do not count as existing. */
  readonly batchBegan: number
  readonly from: Origin
}

/** A file and what to do with it. */
export interface Decision {
  readonly plan: UploadPlan
  readonly wanted: Wanted
  readonly step: Step
  /** The publication that the step is about, if it was looked up. */
  readonly there: KnownPublication | undefined
  /** The latest uploads of the file that were finished when the service was asked, by their ids. */
  readonly considered: ReadonlySet<string>
}

export interface Deciding extends GatherOptions {
  /** The SHA-256 of a file, computed if necessary. */
  readonly hash: (plan: UploadPlan) => Promise<string | null>
  /** Whether a copy of what is there is uploaded all the same. */
  readonly mayRepeat?: ((file: string, why: string) => Promise<boolean>) | undefined
  /** Identifies the content of a file within the batch. */
  readonly contentOf: (plan: UploadPlan, sha256: string | null) => string
}

/** A file's turn in the order of decisions. */
interface Turn {
  decide(
    plan: UploadPlan,
    options: DeciderOptions,
    carryOut: (decision: Decision) => Promise<Result>,
  ): Promise<Result>
  /** Ends the turn; must always be called. */
  end(): void
}

/** Of the files with the same content, the one that is uploaded. */
interface First {
  row: number
  plan: UploadPlan
  result: Promise<Result | undefined>
}

export interface Decider {
  /** `row` identifies the file within the batch. */
  takeTurn(row: number): Turn
}

/**
 * Decides on the files of a batch in the order of their turns, so that of two files with the same content, or for the same
 * publication, always the first one is uploaded. Lookups run concurrently.
 */
export function openDecider(deciding: Deciding): Decider {
  const firsts = new Map<string, First>()
  const taken = new Map<string, string>()
  let last: Promise<void> = Promise.resolve()

  /** The step, or another one if the user wants a copy uploaded all the same. */
  const confirmed = async (step: Step, wanted: Wanted): Promise<Step> => {
    const isCopy = step.action === 'skip' && step.copyOf !== undefined
    if (!isCopy || !(await deciding.mayRepeat?.(wanted.file, step.why))) return step
    return decide({ ...wanted, again: true }, nothingKnown)
  }

  const decideOn = async (
    plan: UploadPlan,
    { editionOf, ifChanged, again, batchBegan, from }: DeciderOptions,
    carryOut: (decision: Decision) => Promise<Result>,
    turn: { row: number; before: Promise<void>; end: () => void },
  ): Promise<Result> => {
    const considered = new Set<string>()
    const sha256 = await deciding.hash(plan)
    const wanted = wantedOf(plan, { editionOf, ifChanged, again, sha256, from })
    const warnings: Warning[] = []
    const onWarning = (warning: Warning) => {
      warnings.push(warning)
      deciding.onWarning(warning)
    }
    const known = await gather(plan, wanted, { ...deciding, onWarning }, batchBegan, considered)
    await turn.before
    const content = deciding.contentOf(plan, sha256)
    const first = firsts.get(content)
    const twin = first && first.row !== turn.row ? first : undefined
    const before = twin?.result
    const settle = (more: Partial<Known>): Step => {
      const step = decide(wanted, { ...known, taken, ...more })
      if (step.action === 'edition') taken.set(step.publicationId, plan.path)
      return step
    }
    const early = twin ? undefined : settle({})
    const work = async (): Promise<Result> => {
      const result = await before
      const isThere = twin !== undefined && result !== undefined && result.failure === undefined
      // If the other file failed, this one is uploaded in its place.
      if (twin && !isThere) Object.assign(twin, { row: turn.row, plan })
      const step = await confirmed(
        early ?? settle(isThere ? { inBatch: inBatch(twin.plan, result) } : failedTwin(twin?.plan, result)),
        wanted,
      )
      const { carriedOutBy, writes } = actions[step.action]
      if (carriedOutBy === 'upload' && writes) warningsOf(wanted).forEach(onWarning)
      const there = known.publications?.find(({ publicationId }) => publicationId === step.publicationId)
      const warned = { ...plan, warnings: [...plan.warnings, ...warnings] }
      return await carryOut({ plan: warned, wanted, step, there, considered })
    }
    const result = work()
    const settled = result.catch(() => undefined)
    if (twin) twin.result = settled
    else firsts.set(content, { row: turn.row, plan, result: settled })
    turn.end()
    return await result
  }

  return {
    takeTurn(row) {
      const before = last
      let end = () => {}
      last = new Promise(resolve => {
        end = () => resolve()
      })
      const turn = { row, before, end: () => void before.then(end) }
      return {
        decide: (plan, options, carryOut) => decideOn(plan, options, carryOut, turn),
        end: turn.end,
      }
    },
  }
}

/** What the other file says of this one if the service found its content unfit. */
function failedTwin(plan: UploadPlan | undefined, result: Result | undefined): Partial<Known> {
  const { publicationId = null, editionId = null, uploadStatus = null } = result?.receipt ?? {}
  if (plan === undefined || uploadStatus === null || !hasFailed(uploadStatus)) return {}
  return { failed: { uploadStatus, file: plan.file, publicationId, editionId, isLeft: true } }
}

const inBatch = ({ path, creation }: UploadPlan, { receipt }: Result): InBatch => ({
  file: path,
  publicationId: receipt.publicationId,
  editionId: receipt.editionId,
  uploadStatus: receipt.uploadStatus,
  fields: fieldsOfCreation(creation),
})
