import { publications } from '../contract/publications.ts'
import { sha256Of } from './hash.ts'
import type { UploadPlan } from './plan.ts'
import { emptyReceipt, type Result } from './receipt.ts'
import type { Tools } from './tools.ts'

/**
 * The receipt of a file that need not be uploaded, since the journal knows its content as uploaded to this service, or
 * the service lists a publication of the same title, authors and type; undefined when it is new.
 */
export async function skipExisting(plan: UploadPlan, tools: Tools): Promise<Result | undefined> {
  const { file, path, bytes, creation } = plan
  const { title, author = [], type } = creation.edition
  const sha256 = await tools.limits.read(() => sha256Of(file, bytes, tools.signal))
  const skipped = (publicationId: string | null, editionId: string | null): Result => ({
    receipt: {
      ...emptyReceipt(path),
      ...{ sha256, bytes, type, publicationId, editionId, uploadStatus: 'available', outcome: 'skipped' },
    },
    failure: undefined,
  })
  const known = tools.journal.findContent(tools.target, sha256)
  if (known) return skipped(known.publicationId, known.editionId)
  if (!title) return undefined
  const { items } = await tools.limits.ask(() => tools.call(publications.list, { search: title, limit: 50 }))
  const same = (Array.isArray(items) ? items : []).find(
    item =>
      item?.title === title &&
      item.type === type &&
      item.uploadStatus === 'available' &&
      JSON.stringify(item.author ?? []) === JSON.stringify(author),
  )
  return same && skipped(same.publicationId ?? null, same.currentEditionId ?? null)
}
