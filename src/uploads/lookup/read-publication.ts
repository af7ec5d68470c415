import type { Call } from '../../service/client/call.ts'
import type { Resource } from '../../service/client/read.ts'
import { editions } from '../../service/contract/editions.ts'
import type { Publication } from '../../service/contract/publication.ts'
import { publications } from '../../service/contract/publications.ts'
import { exitCodes, Failure } from '../../system/errors.ts'

/**
 * A publication with its editions, which are requested separately where the service does not give them along. Tables of
 * contents are left out, because they are large. Undefined if there is no such publication.
 */
export async function readPublication(
  call: Call,
  id: string,
): Promise<Resource<typeof Publication> | undefined> {
  try {
    const { item } = (await call(publications.get, { id })).value
    if (item === null) return undefined
    const found = item.editions ?? (await call(editions.list, { id })).value.items
    return { ...item, editions: found.map(edition => ({ ...edition, navigationData: null })) }
  } catch (error) {
    if (error instanceof Failure && error.exitCode === exitCodes.notFound) return undefined
    throw error
  }
}
