import type { Context } from '../cli/context.ts'
import { publications } from '../service/contract/publications.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import type { EventLog } from './event-log.ts'
import { pauseAfter } from './item.ts'
import type { WatchOptions } from './options.ts'

/** Whether the service answers. While it does not, it is asked with growing pauses, and that is said once. */
export interface Availability {
  /** Whether files can be sent now; asks the service if that is not known and the pause is over. */
  isThere(): Promise<boolean>
  /** The service did not answer an upload. */
  failed(failure: Failure): Promise<void>
  /** The service has carried something out. */
  answered(): Promise<void>
  /** Why it does not answer; undefined if it does. */
  failure(): Failure | undefined
}

/** With `once`, a service that does not answer ends the watcher, so it is asked as often as every other command does. */
export function watchService(
  context: Context,
  eventLog: EventLog,
  { scan: firstPause, once }: Pick<WatchOptions, 'scan' | 'once'>,
): Availability {
  const { monotonic } = context.world.clock
  let since: number | undefined
  let attempts = 0
  let askAt = 0
  let isKnown = false
  let latest: Failure | undefined
  const failed = async (failure: Failure): Promise<void> => {
    latest = failure
    isKnown = false
    askAt = monotonic() + pauseAfter(attempts++, firstPause)
    if (since !== undefined) return
    since = monotonic()
    await eventLog.add({ event: 'service-away', why: failure.message })
  }
  const answered = async (): Promise<void> => {
    isKnown = true
    attempts = 0
    latest = undefined
    if (since === undefined) return
    const seconds = Math.round((monotonic() - since) / 1000)
    since = undefined
    await eventLog.add({ event: 'service-back', why: `after ${seconds} s` })
  }
  return {
    failure: () => latest,
    failed,
    answered,
    async isThere() {
      if (isKnown) return true
      if (monotonic() < askAt) return false
      try {
        await context.call(publications.list, { limit: 1 }, once ? {} : { attempts: 1 })
      } catch (error) {
        if (!(error instanceof Failure) || error.exitCode !== exitCodes.network) throw error
        await failed(error)
        return false
      }
      await answered()
      return true
    },
  }
}
