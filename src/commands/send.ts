import { basename } from 'node:path'
import type { PutTarget } from '../client/upload-target.ts'
import type { Context } from '../context.ts'
import { userAgent } from '../version.ts'

/**
 * Sends one file to an upload session that is at hand, with progress for the person: tried again as the file of a book
 * is, but for a session that is refused or has ended, in whose place nobody can ask for another.
 */
export async function sendToSession(
  context: Context,
  target: PutTarget,
  path: string,
  bytes: number,
): Promise<void> {
  const { sendFile } = await import('../client/send-file.ts')
  const progress = await context.progress()
  const { clock, signal } = context.world
  const stopShowing = context.waiting.showIn(text => text !== undefined && progress.state(text))
  progress.sending(basename(path), bytes)
  try {
    const { baseUrl } = await context.target()
    await sendFile(
      { path, bytes },
      {
        http: await context.http(),
        clock,
        signal,
        baseUrl,
        userAgent,
        timeout: context.options.timeout,
        waiting: context.waiting,
        target: async () => target,
        onProgress: sent => progress.sent(sent),
      },
    )
  } finally {
    stopShowing()
    progress.stop()
  }
}
