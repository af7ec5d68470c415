import { isRefusal } from '../client/retryable.ts'
import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import type { Entry, Session } from '../journal/entry.ts'
import { duplicatesOf } from './duplicates.ts'
import { newestEdition, textOf } from './outcome.ts'
import { purposeOf, readSession } from './session.ts'
import type { TransferContext } from './transfer-context.ts'

export interface Created {
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  /** Null when it is not known, so that one has to be asked for. */
  readonly session: Session | null
}

/**
 * Creates the publication or the edition of an upload. After an unclear answer, such as a lost connection, the request
 * is made again with the same upload request id, for which the service gives the same publication again. A service that
 * takes the repeated id for a mistake has made what is looked for, so that it is found in the list and gone on with; so
 * it is where an earlier process may have asked for it (`mayBeMade`). `onUnclear` is told when it may have been made
 * before or besides.
 */
export async function create(
  entry: Entry,
  context: TransferContext,
  { mayBeMade, onUnclear }: { mayBeMade: boolean; onUnclear: () => void },
): Promise<Created> {
  const { creation, editionOf, uploadRequestId } = entry
  let wasUnclear = mayBeMade
  try {
    const options = {
      onUnclear() {
        wasUnclear = true
        onUnclear()
      },
    }
    const { item, result } =
      editionOf === null
        ? await context.call(publications.create, creation, options)
        : await context.call(editions.create, { id: editionOf, ...creation }, options)
    const objectKey = textOf(result?.objectKey)
    const edition =
      (objectKey !== null && item?.editions?.find?.(each => each?.key === objectKey)) || newestEdition(item)
    return {
      publicationId: textOf(item?.id) ?? editionOf,
      editionId: textOf(edition?.id),
      uploadStatus: textOf(edition?.uploadStatus),
      session: readSession(result, purposeOf(entry)),
    }
  } catch (error) {
    if (!wasUnclear || !isRefusal(error)) throw error
    const [made, ...more] = await duplicatesOf({ ...entry, publicationId: null, editionId: null }, context)
    if (made === undefined || more.length > 0) throw error
    context.onWarning({
      code: 'answer_lost',
      message: `upload request ${uploadRequestId} is refused, since it was made before and its answer was lost; going on with ${made.publicationId}`,
    })
    return { ...made, uploadStatus: null, session: null }
  }
}
