import type { Context } from '../cli/context.ts'
import { plain } from '../cli/output/cell.ts'
import type { RequestOptions } from '../service/client/call.ts'
import { poll } from '../service/client/poll.ts'
import { attemptsOf } from '../service/client/retry.ts'
import { defaultProcessingTimeout, failureOfStatus, isFinalStatus } from '../uploads/outcome.ts'

/**
 * Asks for a publication or an edition until the service is done with it, telling a person each state on the way.
 * Throws, with the exit code for it, when processing failed or the wait was exhausted.
 */
export async function waitFor<T>(
  context: Context,
  name: string,
  ask: (options: RequestOptions) => Promise<T>,
  statusOf: (answer: T) => string | null | undefined,
): Promise<T> {
  const progress = await context.progress()
  try {
    const { clock, signal, processingTimeout = defaultProcessingTimeout } = context.world
    const answer = await poll(
      async left => {
        const now = await ask({ attempts: attemptsOf.upload, timeout: left })
        progress.state(`${name}: ${plain(statusOf(now)) || 'waiting'}`)
        return now
      },
      now => isFinalStatus(statusOf(now)),
      { clock, signal, timeout: context.options.timeout ?? processingTimeout },
    )
    const failure = failureOfStatus(statusOf(answer), name)
    if (failure) throw failure
    return answer
  } finally {
    progress.stop()
  }
}
