import type { Context } from '../../cli/context.ts'
import { planStepOf } from '../../plan/product-step.ts'
import { editions } from '../../service/contract/editions.ts'
import { publications } from '../../service/contract/publications.ts'
import type { StepRequest } from '../dry-run.ts'
import type { Decision } from '../lookup/decider.ts'

/** Records the step of a file and its requests for `--dry-run`, in the shape of the steps of a plan. */
export async function showStep(
  context: Context,
  { plan, wanted, step, there }: Decision,
  requests: readonly StepRequest[],
): Promise<void> {
  const { key, file, bytes, sha256, type, title = null, from } = wanted
  const created = requests.find(each => each.request === 'create')
  const sending = created ? { creation: created.body, cover: plan.cover, editionOf: created.editionOf } : null
  const current = there?.editions.find(({ isCurrent }) => isCurrent) ?? there?.editions[0]
  const publication = there && { fields: there.fields, currentEditionId: current?.editionId ?? null }
  const shown = planStepOf({ key, file, bytes, sha256, type, title, from }, step, publication, sending)
  const before = context.planned.length
  for (const request of requests) await showRequest(context, request)
  const { uploadStatus, editionOf } = { uploadStatus: undefined, editionOf: undefined, ...step }
  context.planStep({ ...shown, uploadStatus, editionOf }, before)
}

/** Records a request for `--dry-run`. */
export async function showRequest(context: Context, planned: StepRequest): Promise<void> {
  switch (planned.request) {
    case 'update': {
      const { sampleItems, ...send } = planned.send
      const samples = sampleItems && { sampleItems: [...sampleItems] }
      await context.change(publications.update, { id: planned.publicationId, ...send, ...samples })
      break
    }
    case 'create':
      await (planned.editionOf === null
        ? context.change(publications.create, planned.body)
        : context.change(editions.create, { id: planned.editionOf, ...planned.body }))
      break
    case 'send': {
      const { what, file, bytes } = planned
      const url = `(the ${what === 'cover' ? 'cover ' : ''}upload URL in the answer)`
      context.plan({ method: 'PUT', url, body: { file, bytes } })
    }
  }
}
