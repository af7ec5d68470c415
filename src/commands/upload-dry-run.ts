import type { Context } from '../context.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import type { Entry } from '../journal/entry.ts'
import type { Queued } from '../journal/queue.ts'
import type { Decision } from '../transfer/decider.ts'
import type { PlannedRequest } from '../transfer/dry-run.ts'

/** Records the step of a file and its requests for `--dry-run`. */
export async function showStep(
  context: Context,
  { wanted, step }: Decision,
  requests: readonly PlannedRequest[],
): Promise<void> {
  const { key, file, bytes, sha256, type, from } = wanted
  const before = context.planned.length
  for (const request of requests) await showRequest(context, request)
  context.planStep({ ...{ file, key, bytes, sha256, type, from }, ...step }, before)
}

async function showRequest(context: Context, planned: PlannedRequest): Promise<void> {
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

/** Records for `--dry-run` which uploads would be continued, and which files begun. */
export async function showResumed(
  context: Context,
  entries: readonly Entry[],
  queued: readonly Queued[],
): Promise<void> {
  const { decideBegun } = await import('../plan/decide.ts')
  const { begunOf } = await import('../transfer/gather.ts')
  for (const entry of entries) {
    const { file, bytes, sha256, stage, creation } = entry
    const before = context.planned.length
    context.plan({
      method: stage === 'sent' ? 'GET' : 'PUT',
      url: `(where ${file} goes)`,
      body: { file, bytes, stage },
    })
    const step = decideBegun(begunOf(entry, null, false))
    context.planStep({ file, bytes, sha256, type: creation.edition.type, stage, ...step }, before)
  }
  for (const { file, uploadRequestId, editionOf } of queued) {
    const before = context.planned.length
    context.plan({ method: 'PUT', url: `(where ${file} goes)`, body: { file, bytes: null, stage: 'queued' } })
    const why = 'its batch was broken off before it was begun'
    const action = editionOf === null ? 'create' : 'edition'
    const step = { action, file, stage: 'queued', why, uploadRequestId, publicationId: editionOf }
    context.planStep(step, before)
  }
}
