import type { Context } from '../context.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import type { Step } from '../plan/decide.ts'
import { creationFor } from '../plan/upload-plan.ts'
import type { Decision } from '../transfer/decider.ts'
import { contentKey, type Lookup } from '../transfer/lookup.ts'
import { emptyReceipt, type Result } from '../transfer/receipt.ts'

/** Notes for `--dry-run` the step of a file, with the requests that would carry it out. */
export async function planStep(
  context: Context,
  decision: Decision,
  journal: JournalReader,
  lookup: Lookup | undefined,
): Promise<Result> {
  const { plan, wanted, step } = decision
  const { key, file, bytes, sha256, type, from } = wanted
  const before = context.planned.length
  await planRequests(context, decision, journal, lookup)
  context.planStep({ ...{ file, key, bytes, sha256, type, from }, ...step }, before)
  const { publicationId, editionId } = step
  return { receipt: { ...emptyReceipt(plan.path), publicationId, editionId }, failure: undefined }
}

async function planRequests(
  context: Context,
  { plan, wanted, step }: Decision,
  journal: JournalReader,
  lookup: Lookup | undefined,
): Promise<void> {
  if (step.action === 'update') {
    const { sampleItems, ...send } = step.send
    const samples = sampleItems && { sampleItems: [...sampleItems] }
    return void (await context.change(publications.update, { id: step.publicationId, ...send, ...samples }))
  }
  const begun = step.action === 'resume' ? journal.get(step.uploadRequestId) : undefined
  const editionOf = editionOfStep(step)
  if (editionOf === undefined) return
  if (begun?.stage !== 'created') {
    const content = (await lookup?.hasContentKey()) ? { key: contentKey, sha256: wanted.sha256 } : {}
    const body = begun?.creation ?? creationFor(plan, editionOf, content)
    await (editionOf === null
      ? context.change(publications.create, body)
      : context.change(editions.create, { id: editionOf, ...body }))
  }
  const { path, bytes, creation, coverBytes } = plan
  if (coverBytes !== undefined) {
    const body = { file: creation.coverFilename, bytes: coverBytes }
    context.plan({ method: 'PUT', url: '(the cover upload URL in the answer)', body })
  }
  context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body: { file: path, bytes } })
}

/** The publication that a file is sent for as an edition, or null for one of its own; undefined where none is sent. */
function editionOfStep(step: Step): string | null | undefined {
  if (step.action === 'create') return null
  if (step.action === 'edition') return step.publicationId
  return step.action === 'resume' ? step.editionOf : undefined
}
