import { changedWhileSent } from '../service/client/upload-body.ts'
import { stat } from '../system/files.ts'
import { unreadable } from '../system/unreadable.ts'
import type { Entry } from './journal/entry.ts'
import { sha256Of } from './reading/hash.ts'
import { sendAll } from './send.ts'
import type { TransferContext } from './transfer-context.ts'

/** Throws if a file has changed since its upload was planned. */
export async function mustBeUnchanged({ file, bytes, modified }: Entry): Promise<void> {
  const now = await stat(file).catch(error => {
    throw unreadable(file, error)
  })
  if (now.size !== bytes || now.mtimeMs !== modified) throw changedWhileSent(file)
}

/** Sends the file and returns its hash; null if hashing failed, because the file has arrived all the same. */
export async function sendAndHash(
  entry: Entry,
  context: TransferContext,
  plannedAs: string | undefined,
): Promise<string | null> {
  const stop = new AbortController()
  const hashing =
    entry.sha256 === null
      ? sha256Of(entry.file, entry.bytes, AbortSignal.any([context.signal, stop.signal]))
      : Promise.resolve(entry.sha256)
  hashing.catch(() => undefined)
  try {
    await sendAll(entry, context, plannedAs === undefined ? undefined : context.covers.get(plannedAs))
    if (plannedAs !== undefined) context.covers.drop(plannedAs)
    return await hashing.catch(error => {
      if (!context.signal.aborted) {
        context.onWarning({
          code: 'not_hashed',
          message: `${entry.file} was sent, but not hashed: ${messageOf(error)}`,
        })
      }
      return null
    })
  } catch (error) {
    stop.abort(error)
    throw error
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
