import { publications } from '../contract/publications.ts'
import type { Entry } from './entry.ts'
import { sha256Of } from './hash.ts'
import type { UploadPlan } from './plan.ts'
import { emptyReceipt, type Result } from './receipt.ts'
import { isStillThere } from './run.ts'
import type { Tools } from './tools.ts'

/**
 * Uploads only what is not there yet. `upload` is spared for a file whose content the journal knows as uploaded to this
 * service, that the service lists with the same title, authors and type, or that the same batch uploads under another
 * name.
 */
export function skipperOf(
  tools: Tools,
): (plan: UploadPlan, upload: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>()
  return async (plan, upload) => {
    const { file, bytes, modified } = plan
    const sha256 =
      plan.sha256 ??
      tools.journal.knownHash(file, bytes, modified) ??
      (await tools.limits.read(() => sha256Of(file, bytes, tools.signal)))
    const before = underWay.get(sha256)
    const work = async (): Promise<Result> => {
      const twin = await before?.catch(() => undefined)
      if (twin && twin.failure === undefined) return skipped(plan, sha256, twin.receipt)
      const existing = (await knownToJournal(file, sha256, tools)) ?? (await listed(plan, tools))
      return existing ? skipped(plan, sha256, existing) : await upload()
    }
    const result = work()
    underWay.set(sha256, result)
    return await result
  }
}

interface Existing {
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
}

const skipped = (
  { path, bytes, creation, warnings }: UploadPlan,
  sha256: string,
  { publicationId, editionId, uploadStatus }: Existing,
): Result => ({
  receipt: {
    ...emptyReceipt(path),
    ...{ sha256, bytes, type: creation.edition.type, publicationId, editionId, uploadStatus },
    warnings: [...warnings],
    outcome: 'skipped',
  },
  failure: undefined,
})

/** Whether it is the file's own upload, which was only not waited for and is gone on with. */
export const isOwnUpload = (entry: Entry, file: string): boolean =>
  entry.stage === 'sent' && entry.file === file

async function knownToJournal(file: string, sha256: string, tools: Tools): Promise<Existing | undefined> {
  for (const entry of tools.journal.findContent(tools.target, sha256)) {
    if (isOwnUpload(entry, file)) return undefined
    if (await isStillThere(entry, tools)) return entry
  }
  return undefined
}

async function listed({ creation }: UploadPlan, { call, limits }: Tools): Promise<Existing | undefined> {
  const { title, author = [], type } = creation.edition
  if (!title) return undefined
  const { items } = await limits.ask(() => call(publications.list, { search: title, limit: 50 }))
  const same = (Array.isArray(items) ? items : []).find(
    item =>
      item?.title === title &&
      item.type === type &&
      item.uploadStatus === 'available' &&
      JSON.stringify(item.author ?? []) === JSON.stringify(author),
  )
  return (
    same && {
      publicationId: same.publicationId ?? null,
      editionId: same.currentEditionId ?? null,
      uploadStatus: 'available',
    }
  )
}
