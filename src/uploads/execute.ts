import type { Action, PlanAction } from '../plan/actions.ts'
import type { ChangeableFields } from '../plan/book-fields.ts'
import { hasFailed } from '../plan/match.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { publications } from '../service/contract/publications.ts'
import type { Failure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import type { Warning } from '../system/warning.ts'
import type { Journal } from './journal/journal.ts'
import { failureOfStatus, isFinalStatus } from './outcome.ts'
import { waitUntilProcessed } from './processing.ts'
import { emptyReceipt, errorOf, type Outcome, type Receipt, type Result, receiptName } from './receipt.ts'
import { type Claim, runUpload } from './run-upload.ts'
import type { TransferContext } from './transfer-context.ts'
import { withReceipt } from './with-receipt.ts'

/** A step as it is carried out; `--dry-run` prints this very value. */
interface ReadyStep extends Omit<PlanStep, 'action'> {
  /** `stale` if the service or the file is not as it was when the step was planned. */
  readonly action: PlanAction | 'stale'
  /** The publication that an upload which was begun becomes an edition of; null for a publication of its own. */
  readonly editionOf?: string | null
}

/** What carrying out a step needs besides, by who carries it out. */
interface Needs<J extends Journal> {
  upload: {
    readonly claim: Claim<J>
    /** The publication that it becomes an edition of; null for one of its own. */
    readonly editionOf: string | null
    /** The image that is sent before the file, if its size is known. */
    readonly cover?: { readonly file: string; readonly bytes: number } | undefined
  }
  update: {
    readonly publicationId: string
    readonly send: ChangeableFields
    /** What is kept as sent instead of what is sent, because it was so before what is undone. */
    readonly formerlySent?: Readonly<Record<string, unknown>>
  }
  /** Why nothing is done about it. */
  people: { readonly failure: Failure; readonly outcome: Outcome }
  nobody: {
    /** Whether the processing of what is there is waited for. */
    readonly isAwaited?: boolean
  }
}

type Carrier = Action['carriedOutBy']
export type Way<J extends Journal> = { [by in Carrier]: { readonly by: by } & Needs<J>[by] }[Carrier]

/** A step that is ready to be carried out, wherever it comes from. */
export type Ready<J extends Journal = Journal> = Way<J> & {
  readonly step: ReadyStep
  /** Problems of the file that did not stop it. */
  readonly warnings?: readonly Warning[]
}

/** Carries out a step. */
export async function execute<J extends Journal>(
  ready: Ready<J>,
  context: TransferContext<J>,
): Promise<Result> {
  const { step } = ready
  const receipt = receiptOf(ready)
  switch (ready.by) {
    case 'upload': {
      const { file, title, author, bytes, type, warnings, checkedBy } = receipt
      const begun = {
        ...{ ...emptyReceipt(file), title, author, bytes, type, warnings, ...given({ checkedBy }) },
      }
      return await withReceipt(begun, context, within => runUpload(ready.claim, within, begun))
    }
    case 'update':
      return await withReceipt(receipt, context, async ({ call, limits, sent, clock }) => {
        const { publicationId, send, formerlySent } = ready
        await limits.ask(() => call(publications.update, changeOf(publicationId, send)))
        sent.put([{ publicationId, values: Object.entries({ ...send, ...formerlySent }), at: clock.now() }])
        receipt.outcome = 'updated'
      })
    case 'people': {
      const { failure, outcome } = ready
      return { receipt: { ...receipt, outcome, error: errorOf(failure) }, failure }
    }
    case 'nobody':
      return await withReceipt(receipt, context, async within => {
        receipt.outcome = hasFailed(receipt.uploadStatus) ? 'failed' : 'skipped'
        if (step.proof === 'unproven') within.onWarning(notProven(receiptName(receipt), step.why))
        if (ready.isAwaited) await awaitProcessing(step, receipt, within)
      })
  }
}

/** The input that changes fields of a publication. */
export const changeOf = (id: string, { sampleItems, ...send }: ChangeableFields) => ({
  ...{ id, ...send },
  ...(sampleItems && { sampleItems: [...sampleItems] }),
})

/** The receipt of a step before anything is done about it. */
export function receiptOf({ step, warnings = [] }: Pick<Ready, 'step' | 'warnings'>): Receipt {
  const { file, title, author = null, sha256, bytes, type } = step
  const { publicationId, editionId, uploadRequestId, uploadStatus = null } = step
  return {
    ...emptyReceipt(file),
    ...{
      title,
      author,
      sha256,
      bytes,
      type,
      publicationId,
      editionId,
      uploadRequestId,
      uploadStatus,
    },
    // Of what is stale, the failure says why.
    why: step.action === 'stale' ? null : step.why,
    warnings: [...warnings],
    ...given({ checkedBy: step.checkedBy }),
  }
}

/** Waits for the processing of what has been there before; throws if it failed. */
async function awaitProcessing(
  { file, editionOf = null }: ReadyStep,
  receipt: Receipt,
  context: TransferContext,
): Promise<void> {
  const { publicationId, editionId, uploadStatus } = receipt
  const name = file ?? receiptName(receipt)
  const failed = failureOfStatus(uploadStatus, name)
  if (failed) throw failed
  if (isFinalStatus(uploadStatus) || context.processingTimeout === 0) return
  await waitUntilProcessed(
    { publicationId, editionId, editionOf, file: name },
    name,
    context,
    async change => {
      if (change.uploadStatus === undefined) return
      receipt.uploadStatus = change.uploadStatus
      if (hasFailed(change.uploadStatus)) receipt.outcome = 'failed'
    },
  )
}

const notProven = (name: string, why: string) => ({
  code: 'not_proven',
  message: `${name} was skipped, since ${why}; that its content is the same is not proven`,
  hint: 'A metadata key proves it for what is uploaded from then on: pubctl metadata-keys create sha256',
})
