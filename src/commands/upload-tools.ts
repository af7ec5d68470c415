import { join } from 'node:path'
import type { LimitFunction } from 'p-limit'
import type { Context } from '../context.ts'
import type { Tools } from '../uploads/tools.ts'
import { userAgent } from '../version.ts'
import { processingTimeout } from './wait.ts'

/** How often a running upload renews its claim in the journal, in milliseconds. */
const renewal = 5000

/** The service as the journal names it: its address, or the folder of the sandbox. */
export async function targetOf(context: Context): Promise<string> {
  const settings = await context.settings()
  return settings.isSandbox ? `sandbox:${join(context.places.dataDir, 'sandbox')}` : settings.baseUrl
}

/** Where the journal of uploads lies; it is made with the first upload. */
export const journalPath = (places: Context['places']): string => join(places.dataDir, 'uploads.db')

/** Opens the journal of this user's uploads. */
export async function openJournal({ places, world }: Pick<Context, 'places' | 'world'>) {
  const { openJournal } = await import('../uploads/journal.ts')
  return openJournal(journalPath(places), world.clock)
}

/** Everything an upload needs; `close` ends what was opened for it. */
export async function openTools(
  context: Context,
  { wait, concurrency }: { wait: boolean; concurrency: number },
  onStep: Tools['onStep'],
): Promise<{ tools: Tools; underWay: LimitFunction; close(): void }> {
  const { default: pLimit } = await import('p-limit')
  const target = await targetOf(context)
  const { baseUrl } = await context.target()
  const journal = await openJournal(context)
  const timer = setInterval(() => journal.renew(), renewal)
  timer.unref()
  return {
    tools: {
      call: context.call,
      http: await context.http(),
      journal,
      target,
      clock: context.world.clock,
      signal: context.world.signal,
      userAgent,
      allowHttp: new URL(baseUrl).protocol === 'http:',
      timeout: wait ? (context.options.timeout ?? processingTimeout) : 0,
      limits: { read: pLimit(2), send: pLimit(concurrency), ask: pLimit(8) },
      onStep,
      hide: text => context.err.hide(text),
      onWarning: text => void context.warn(text),
    },
    // Files that are only waited for cost little, so many more may be under way than are sent.
    underWay: pLimit(concurrency * 16),
    close() {
      clearInterval(timer)
      journal.close()
    },
  }
}
