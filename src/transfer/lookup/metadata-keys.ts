import type { Call } from '../../client/call.ts'
import { recordsIn } from '../../client/pages.ts'
import { metadataKeys } from '../../contract/metadata-keys.ts'
import { exitCodes, ServiceFailure } from '../../errors.ts'

/** The active metadata keys of the scope; null if the service refuses to list them, because an upload can do without. */
export async function activeMetadataKeys(call: Call): Promise<ReadonlySet<string> | null> {
  try {
    const keys = recordsIn(await call(metadataKeys.list, {}))
    return new Set(keys.flatMap(({ key, status }) => (key && status === 'active' ? [key] : [])))
  } catch (error) {
    if (error instanceof ServiceFailure && error.exitCode !== exitCodes.notAuthenticated) return null
    throw error
  }
}
