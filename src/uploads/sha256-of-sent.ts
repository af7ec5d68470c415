import { UsageFailure } from '../system/errors.ts'
import type { Entry } from './journal/entry.ts'
import { sha256Of } from './reading/hash.ts'
import { mustBeUnchanged } from './send.ts'
import type { TransferContext } from './transfer-context.ts'

/**
 * The SHA-256 of a file that was sent by a run that could not store it any more, so that the same content is known again; null
 * if the file has changed since, or cannot be read.
 */
export async function sha256OfSent(entry: Entry, context: TransferContext): Promise<string | null> {
  try {
    const sha256 = await sha256Of(entry.file, entry.bytes, context)
    await mustBeUnchanged(entry)
    return sha256
  } catch (error) {
    if (!(error instanceof UsageFailure)) throw error
    return null
  }
}
