import type { Call } from '../../service/client/call.ts'
import { metadataKeys } from '../../service/contract/metadata-keys.ts'
import { exitCodes, ServiceFailure } from '../../system/errors.ts'
import type { Warning } from '../../system/warning.ts'

/** The metadata key that holds the SHA-256 of an edition's file, in hexadecimal. */
export const contentKey = 'sha256'

/** The metadata keys of the scope; null if the service refuses to list them, because an upload can do without. */
async function keysOf(call: Call) {
  try {
    return (await call(metadataKeys.list, {})).value.items
  } catch (error) {
    if (error instanceof ServiceFailure && error.exitCode !== exitCodes.notAuthenticated) return null
    throw error
  }
}

/** The active metadata keys of the scope; null if they are not known. */
export async function activeMetadataKeys(call: Call): Promise<ReadonlySet<string> | null> {
  const keys = await keysOf(call)
  return keys && new Set(keys.flatMap(({ key, status }) => (key && status === 'active' ? [key] : [])))
}

/** Whether content is recorded at the service: by an active key, by none, or by one with this id that was archived. */
export type ContentKey = 'active' | 'not known' | 'none' | { readonly archived: string }

export async function contentKeyOf(call: Call): Promise<ContentKey> {
  const keys = await keysOf(call)
  if (keys === null) return 'not known'
  const ours = keys.filter(({ key }) => key === contentKey)
  if (ours.some(({ status }) => status === 'active')) return 'active'
  const archived = ours.find(({ id }) => id !== null)?.id
  return archived ? { archived } : 'none'
}

/** What is said where content is compared and not recorded; undefined where it is recorded. */
export function withoutContentKey(state: ContentKey): Warning | undefined {
  if (state === 'active' || state === 'not known') return undefined
  return {
    code: 'no_content_key',
    message: `the scope has no active metadata key "${contentKey}", so no other machine can prove what content the books have that are uploaded now`,
    hint:
      state === 'none'
        ? `Create it once: pubctl metadata-keys create ${contentKey}`
        : `Make it active again: pubctl metadata-keys restore ${state.archived}`,
  }
}
