import type { ChangeableFields } from '../plan/book-fields.ts'
import type { UploadPlan } from '../plan/upload-plan.ts'
import { publications } from '../service/contract/publications.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import type { LocalJournal } from './journal/local-journal.ts'
import type { Decision } from './lookup/decider.ts'
import type { ServiceLookup } from './lookup/lookup.ts'
import { contentKey } from './lookup/metadata-keys.ts'
import { failureOfStatus } from './outcome.ts'
import { emptyReceipt, errorOf, type Receipt, type Result } from './receipt.ts'
import { runUpload } from './run.ts'
import { settle } from './settle.ts'
import type { TransferContext } from './transfer-context.ts'

interface ApplyOptions {
  readonly lookup: ServiceLookup
  /** Whether the service is searched, so that content is recorded there. */
  readonly isSearched: boolean
  /** The file's id in the journal's queue, if it is there. */
  readonly queued: string | undefined
}

/** Carries out the step of a file. */
export async function applyStep(
  { plan, wanted: { sha256 }, step, decidedAt }: Decision,
  context: TransferContext<LocalJournal>,
  { lookup, isSearched, queued }: ApplyOptions,
): Promise<Result> {
  const upload = async (editionOf: string | null): Promise<Result> => {
    const contentAs = isSearched && (await lookup.hasContentKey()) ? contentKey : undefined
    return await runUpload(plan, context, { editionOf, queued, sha256, decidedAt, contentAs })
  }
  const { journal, caller } = context
  const receipt = { ...receiptOf(plan, sha256), why: step.why }
  const { publicationId, editionId } = step
  switch (step.action) {
    case 'create':
      return await upload(null)
    case 'edition':
      return await upload(step.publicationId)
    case 'resume':
    case 'wait':
      return await upload(step.editionOf)
    case 'update':
      return await settle(receipt, context, async ({ call, limits }) => {
        await limits.ask(() => call(publications.update, changeOf(step.publicationId, step.send)))
        Object.assign(receipt, { publicationId, editionId, outcome: 'updated' })
      })
    case 'skip':
      return await settle(receipt, context, async ({ onWarning }) => {
        const { uploadStatus } = step
        const known = publicationId === null ? [] : journal.findPublication(caller, publicationId)
        const { uploadRequestId = null } = known.find(each => each.editionId === editionId) ?? {}
        Object.assign(receipt, {
          publicationId,
          editionId,
          uploadRequestId,
          uploadStatus,
          outcome: 'skipped',
        })
        if (step.proof === 'unproven') onWarning(notProven(plan.path, step.why))
      })
    case 'conflict':
    case 'blocked': {
      if (step.action === 'conflict' && step.failedWith !== undefined)
        return failedResult({ ...receipt, publicationId, editionId }, step, step.failedWith)
      const failure = new Failure(`${plan.path} was not uploaded: ${step.why}`, {
        code: step.action === 'conflict' ? 'conflict' : 'blocked',
        exitCode: exitCodes.partFailed,
        hint: step.action === 'conflict' ? step.hint : blockedHint,
      })
      return {
        receipt: { ...receipt, publicationId, editionId, outcome: 'conflict', error: errorOf(failure) },
        failure,
      }
    }
  }
}

/** The result of a file whose content has failed before, so that it is not sent again: it fails as it did then. */
function failedResult(
  receipt: Receipt,
  { why, hint }: Extract<Decision['step'], { action: 'conflict' }>,
  uploadStatus: string,
): Result {
  const { code, exitCode } = failureOfStatus(uploadStatus, '') ?? {
    code: 'conflict',
    exitCode: exitCodes.partFailed,
  }
  const failure = new Failure(`${receipt.file} was not sent again: ${why}`, { code, exitCode, hint })
  return { receipt: { ...receipt, uploadStatus, outcome: 'failed', error: errorOf(failure) }, failure }
}

/** The input that changes fields of a publication. */
export const changeOf = (id: string, { sampleItems, ...send }: ChangeableFields) => ({
  ...{ id, ...send },
  ...(sampleItems && { sampleItems: [...sampleItems] }),
})

const receiptOf = ({ path, bytes, creation, warnings }: UploadPlan, sha256: string | null): Receipt => ({
  ...emptyReceipt(path),
  ...{ sha256, bytes, type: creation.edition.type, warnings: [...warnings] },
})

const notProven = (path: string, why: string) => ({
  code: 'not_proven',
  message: `${path} was skipped, since ${why}; that its content is the same is not proven`,
  hint: 'A metadata key proves it for what is uploaded from then on: pubctl metadata-keys create sha256',
})

const blockedHint =
  'Leave the fields out, or make a new edition with "pubctl editions upload"; with --again it becomes a publication of its own.'
