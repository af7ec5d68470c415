import { publications } from '../contract/publications.ts'
import { exitCodes, Failure } from '../errors.ts'
import type { LocalJournal } from '../journal/local-journal.ts'
import type { ChangeableFields } from '../plan/book-fields.ts'
import type { UploadPlan } from '../plan/upload-plan.ts'
import type { Decision } from './lookup/decider.ts'
import { contentKey, type ServiceLookup } from './lookup/lookup.ts'
import { emptyReceipt, type Receipt, type Result } from './receipt.ts'
import { runUpload } from './run.ts'
import { settle } from './settle.ts'
import type { TransferContext } from './transfer-context.ts'

interface ApplyOptions {
  readonly lookup: ServiceLookup
  /** The file's id in the journal's queue, if it is there. */
  readonly queued: string | undefined
}

/** Carries out the step of a file. */
export async function applyStep(
  { plan, wanted: { sha256 }, step, decidedAt }: Decision,
  context: TransferContext<LocalJournal>,
  { lookup, queued }: ApplyOptions,
): Promise<Result> {
  const upload = async (editionOf: string | null): Promise<Result> => {
    const contentAs = (await lookup.hasContentKey()) ? contentKey : undefined
    return await runUpload(plan, context, { editionOf, queued, sha256, decidedAt, contentAs })
  }
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
        Object.assign(receipt, { publicationId, editionId, uploadStatus, outcome: 'skipped' })
        if (step.proof === 'unproven') onWarning(notProven(plan.path, step.why))
      })
    case 'conflict':
    case 'blocked': {
      const failure = new Failure(`${plan.path} was not uploaded: ${step.why}`, {
        code: step.action === 'conflict' ? 'conflict' : 'blocked',
        exitCode: exitCodes.partFailed,
        hint: step.action === 'conflict' ? step.hint : blockedHint,
      })
      const error = { code: failure.code, message: failure.message }
      return { receipt: { ...receipt, publicationId, editionId, outcome: 'conflict', error }, failure }
    }
  }
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
  'Leave the fields out, or make a new edition with "pubctl editions upload" and delete what is there if it is wrong.'
