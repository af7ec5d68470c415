import type { Context } from '../../cli/context.ts'
import type { UploadBody } from '../../service/client/upload-body.ts'
import type { PutTarget } from '../../service/client/upload-target.ts'
import { userAgent } from '../../system/version.ts'

/**
 * Sends a file or bytes to a given upload session, with progress. Failed attempts are repeated, but an expired or refused
 * session cannot be replaced here.
 */
export async function sendToSession(
  context: Context,
  target: PutTarget,
  source: UploadBody,
  name: string,
): Promise<void> {
  const { sendFile } = await import('../../service/client/send-file.ts')
  const progress = await context.progress()
  const { clock, signal, mayRead } = context.world
  const stopShowing = context.waiting.showIn(text => text !== undefined && progress.state(text))
  progress.sending(name, 'content' in source ? source.content.length : source.bytes)
  try {
    const { baseUrl } = await context.target()
    await sendFile(source, {
      http: await context.http(),
      clock,
      signal,
      mayRead,
      baseUrl,
      userAgent,
      timeout: context.options.timeout,
      waiting: context.waiting,
      target: async () => target,
      onProgress: sent => progress.sent(sent),
    })
  } finally {
    stopShowing()
    progress.stop()
  }
}
