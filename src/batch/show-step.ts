import type { Context } from '../context.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import type { StepRequest } from '../transfer/dry-run.ts'
import type { Decision } from '../transfer/lookup/decider.ts'

/** Records the step of a file and its requests for `--dry-run`. */
export async function showStep(
  context: Context,
  { wanted, step }: Decision,
  requests: readonly StepRequest[],
): Promise<void> {
  const { key, file, bytes, sha256, type, from } = wanted
  const before = context.planned.length
  for (const request of requests) await showRequest(context, request)
  context.planStep({ ...{ file, key, bytes, sha256, type, from }, ...step }, before)
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
