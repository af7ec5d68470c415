import type { KnownEdition } from '../../plan/known.ts'
import { uploads } from '../../service/contract/uploads.ts'
import type { ExamineContext } from './examine-context.ts'
import type { FoundPublication } from './key-at-service.ts'
import type { UploadStep } from './upload-of-step.ts'

/**
 * The edition that the very upload of a step has made, be it from another machine. An upload session belongs to one upload
 * request, and the object that it is for is the one that the edition names.
 */
export async function editionOfUpload(
  { uploadRequestId, send }: UploadStep,
  { item, known }: FoundPublication,
  { call, limits }: ExamineContext,
): Promise<KnownEdition | undefined> {
  const editions = (item.editions ?? []).filter(({ key }) => key !== null)
  if (editions.length === 0) return undefined
  const { publicationFilename, coverFilename, edition } = send
  const { value } = await limits.ask(() =>
    call(uploads.create, {
      uploadRequestId,
      publicationFilename,
      ...(coverFilename === undefined ? {} : { coverFilename }),
      publicationType: edition.type,
    }),
  )
  const made = editions.find(({ key }) => key === value.result?.objectKey)
  return known.editions.find(({ editionId }) => editionId !== null && editionId === made?.id)
}
