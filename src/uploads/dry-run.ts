import type { Context } from '../cli/context.ts'
import { actions } from '../plan/actions.ts'
import type { Creation } from '../plan/creation.ts'
import { editions } from '../service/contract/editions.ts'
import { publications } from '../service/contract/publications.ts'
import { changeOf, type Ready } from './execute.ts'
import type { Journal } from './journal/journal.ts'

/** Records a step and its requests for `--dry-run` instead of carrying it out; throws if it could not be carried out. */
export async function showStep<J extends Journal>(context: Context, ready: Ready<J>): Promise<void> {
  const { step } = ready
  const before = context.planned.length
  if (ready.by === 'update')
    await context.change(publications.update, changeOf(ready.publicationId, ready.send))
  if (ready.by === 'upload' && step.action !== 'stale' && actions[step.action].writes)
    await showUpload(context, ready)
  context.planStep(step, before)
  if (step.action === 'stale' && ready.by === 'people') throw ready.failure
}

async function showUpload<J extends Journal>(
  context: Context,
  { step: { file, bytes, send }, editionOf, cover }: Extract<Ready<J>, { readonly by: 'upload' }>,
): Promise<void> {
  const body = send as Creation | null
  // What was created before is only sent.
  if (body !== null)
    await (editionOf === null
      ? context.change(publications.create, body)
      : context.change(editions.create, { id: editionOf, ...body }))
  if (cover) context.plan({ method: 'PUT', url: '(the cover upload URL in the answer)', body: cover })
  context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body: { file, bytes } })
}
