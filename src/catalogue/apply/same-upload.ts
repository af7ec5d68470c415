import type { KnownEdition } from '../../plan/known.ts'
import { uploads } from '../../service/contract/uploads.ts'
import { nonEmptyText } from '../../uploads/outcome.ts'
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
  const keys = (item.editions ?? []).flatMap(each => (nonEmptyText(each?.key) ? [each] : []))
  if (keys.length === 0) return undefined
  const { publicationFilename, coverFilename, edition } = send
  const { result } = await limits.ask(() =>
    call(uploads.create, {
      uploadRequestId,
      publicationFilename,
      ...(coverFilename === undefined ? {} : { coverFilename }),
      publicationType: edition.type,
    }),
  )
  const objectKey = nonEmptyText(result?.objectKey)
  const made = keys.find(each => objectKey !== null && each?.key === objectKey)
  return known.editions.find(({ editionId }) => editionId !== null && editionId === nonEmptyText(made?.id))
}
