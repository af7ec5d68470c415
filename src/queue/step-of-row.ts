import { isImagePath } from '../plan/book-fields.ts'
import { checkStep } from '../plan/plan-contract.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { UsageFailure } from '../system/errors.ts'
import { parseExactly } from '../system/exact-json.ts'
import type { MayRead } from '../system/may-read.ts'
import { movedTo } from './local-path.ts'

/** The longest step that is read from the database, in bytes; no line of a plan may be longer. */
export const longestStep = 16 * 1024 * 1024

/** A step of the queue with its plan, as it is in the database, where others may have written it. */
export interface StepRow {
  readonly planId: string
  readonly baseUrl: string
  readonly scopeId: string | null
  /** The plan's folder. */
  readonly root: string | null
  readonly match: string
  readonly made: string
  readonly key: string | null
  /** Null if it is longer than any step. */
  readonly step: string | null
  readonly state: string
  readonly tries: number
  /** Whether the journal has an upload with the id of the step. */
  readonly isBegun: boolean
}

/**
 * The step that a row has, with the paths of this machine. Throws UsageFailure `bad_step` if it is none that a plan could
 * have, and for a file that may not be read.
 */
export function stepOfRow(row: StepRow, root: string | undefined, mayRead: MayRead): PlanStep {
  if (row.step === null) throw badStep(`it is longer than ${longestStep / 2 ** 20} MiB`)
  const result = checkStep(parsed(row.step))
  if ('fault' in result) throw badStep(result.fault)
  if (Number.isNaN(Date.parse(row.made))) throw badStep('its plan does not say when it was made')
  const step = movedTo(result.value, row.root, root)
  const elsewhere = [step.file, isImagePath(step.cover) ? step.cover : null].find(
    path => path !== null && !mayRead(path),
  )
  if (elsewhere) throw outsideWorkerRoot(elsewhere, root ?? row.root)
  return step
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    throw badStep('it is not JSON')
  }
}

/** The failure of a row that `queue load` did not write so. */
export const badStep = (fault: string): UsageFailure =>
  new UsageFailure(`the step is not one of a plan: ${fault}`, {
    code: 'bad_step',
    hint: 'Nothing was sent. pubctl queue load writes no such step, so see who else can write to the database.',
  })

/** The failure of a file that a worker may not read. */
export const outsideWorkerRoot = (path: string, folder: string | null): UsageFailure =>
  new UsageFailure(
    `${path} is not below ${folder ?? "the plan's folder, which has no files"}, or a link leads out of it`,
    {
      code: 'bad_step',
      hint: "Nothing was sent. A worker sends only files below --root or, without it, below the plan's folder.",
    },
  )
