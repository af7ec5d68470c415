import { isRefusal } from '../service/client/retryable.ts'
import { editions } from '../service/contract/editions.ts'
import { publications } from '../service/contract/publications.ts'
import type { Entry, Session } from './journal/entry.ts'
import { madeBefore, severalMade } from './made-before.ts'
import { newestEdition } from './outcome.ts'
import { purposeOf, sessionFor } from './session.ts'
import type { TransferContext } from './transfer-context.ts'

export interface Created {
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  /** Null if it is not known and has to be requested. */
  readonly session: Session | null
  /** Whether its file is known to be there, so that it is not sent again. */
  readonly hasFile: boolean
}

/**
 * Creates the publication or the edition of an upload. If the answer is lost, the request is repeated with the same upload
 * request id, for which the service returns the same publication. If the service rejects the repeated id, the publication
 * exists and is looked up in the list; the same holds if an earlier process may have created it (`mayBeMade`).
 * `onUnclear` is called when it may have been created more than once.
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
    const { value } =
      editionOf === null
        ? await context.call(publications.create, creation, options)
        : await context.call(editions.create, { id: editionOf, ...creation }, options)
    const { item, result } = value
    const objectKey = result?.objectKey ?? null
    const edition =
      (objectKey !== null && item?.editions?.find(({ key }) => key === objectKey)) || newestEdition(item)
    return {
      publicationId: item?.id ?? editionOf,
      editionId: edition?.id ?? null,
      uploadStatus: edition?.uploadStatus ?? null,
      session: sessionFor(result, purposeOf(entry)),
      hasFile: false,
    }
  } catch (error) {
    if (!wasUnclear || !isRefusal(error)) throw error
    const made = await madeBefore(entry, context)
    if (made === undefined) throw (await severalMade(entry, context)) ?? error
    context.onWarning({
      code: 'answer_lost',
      message: `upload request ${uploadRequestId} is refused, since it was made before and its answer was lost; going on with ${made.publicationId}`,
    })
    return { ...made, uploadStatus: null, session: null }
  }
}
