import type { Context } from '../../cli/context.ts'
import { userAgent } from '../../system/version.ts'
import type { LocalJournal } from '../journal/local-journal.ts'
import { type OpenTransfer, openTransfer } from '../open.ts'
import { openedChecks } from '../opened-checks.ts'
import { defaultProcessingTimeout } from '../outcome.ts'
import type { TransferContext } from '../transfer-context.ts'
import { callerOf } from './caller.ts'
import { openJournal, orMemoryJournal } from './journal.ts'

/** Opens what all uploads of this command share. */
export async function openUploads(
  context: Context,
  { wait, concurrency, files }: { wait: boolean; concurrency: number; files: number },
  { onStep, onWarning }: Pick<TransferContext, 'onStep' | 'onWarning'>,
): Promise<OpenTransfer<LocalJournal>> {
  const { world, options, waiting } = context
  const { baseUrl } = await context.target()
  const journal = await orMemoryJournal(context, openJournal)
  try {
    const { openSentStore } = await import('../sent/sent-store.ts')
    const caller = await callerOf(context, journal)
    return await openTransfer({
      ...{ concurrency, files, journal, caller, waiting, userAgent, baseUrl, onStep, onWarning },
      openChecks: asked => openedChecks(context, asked),
      sent: openSentStore(context, caller),
      call: context.call,
      http: await context.http(),
      clock: world.clock,
      signal: world.signal,
      mayRead: world.mayRead,
      timeout: options.timeout,
      processingTimeout: wait ? (options.timeout ?? world.processingTimeout ?? defaultProcessingTimeout) : 0,
    })
  } catch (error) {
    journal.close()
    throw error
  }
}
