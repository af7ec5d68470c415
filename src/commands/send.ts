import { basename } from 'node:path'
import type { PutTarget } from '../client/upload-target.ts'
import type { Context } from '../context.ts'
import { userAgent } from '../version.ts'

/** Milliseconds without any movement before a transfer counts as stalled. */
const idleTimeout = 60_000

/** Sends one file to an upload session that is at hand, with progress for the person. */
export async function sendFile(
  context: Context,
  target: PutTarget,
  path: string,
  bytes: number,
): Promise<void> {
  const { put } = await import('../client/put.ts')
  const progress = await context.progress()
  progress.sending(basename(path), bytes)
  try {
    const { baseUrl } = await context.target()
    await put(
      await context.http(),
      target,
      { path, bytes },
      {
        signal: context.world.signal,
        idleTimeout,
        baseUrl,
        userAgent,
        onProgress: sent => progress.sent(sent),
      },
    )
  } finally {
    progress.stop()
  }
}
