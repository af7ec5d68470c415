import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { LimitFunction } from 'p-limit'
import { createReach } from '../client/reach.ts'
import { attemptsOf } from '../client/retry.ts'
import type { Context } from '../context.ts'
import { publications } from '../contract/publications.ts'
import { Failure, UsageFailure } from '../errors.ts'
import type { Caller } from '../journal/caller.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { judgedEvery, openPace } from '../transfer/pace.ts'
import type { Read } from '../transfer/reading.ts'
import type { Tools } from '../transfer/tools.ts'
import { userAgent } from '../version.ts'
import { processingTimeout } from './wait.ts'

/** How often a running upload renews its claim in the journal, in milliseconds. */
const renewal = 5000

/** As many files as take longer to read than a thread takes to start. */
const worthAThread = 8

/** The service as the journal names it: its address, or the folder of the sandbox. */
export async function targetOf(context: Context): Promise<string> {
  const settings = await context.settings()
  return settings.isSandbox ? `sandbox:${join(context.directories.dataDir, 'sandbox')}` : settings.baseUrl
}

/**
 * On whose behalf this command uploads. Its scope is known from an earlier upload with the same key, or becomes known with
 * the first answer; the service is asked for it only where the journal has uploads with another key.
 */
export async function callerOf(context: Context, journal: JournalReader): Promise<Caller> {
  const target = await targetOf(context)
  const { isSandbox } = await context.settings()
  // A sandbox is one scope, whatever the key.
  const keyDigest = isSandbox ? 'sandbox' : await digestOf(context, journal, target)
  const before = journal.scopeOf({ target, keyDigest })
  const isToldApart = before !== null || context.scopeId() !== null
  if (!isToldApart && journal.hasOtherKeys({ target, keyDigest })) {
    await context.call(publications.list, { limit: 1 })
  }
  return {
    target,
    keyDigest,
    get scopeId() {
      return context.scopeId() ?? before
    },
  }
}

/** The digest of the key; a dry run does not fetch a key that there is nothing to compare with. */
async function digestOf(context: Context, journal: JournalReader, target: string): Promise<string | null> {
  if (context.options.dryRun && !journal.hasOtherKeys({ target, keyDigest: null })) return null
  const { keyDigestOf } = await import('../journal/key-digest.ts')
  return keyDigestOf(target, (await context.target()).key)
}

/** Where the journal of uploads lies; it is made with the first upload. */
const journalPath = (directories: Context['directories']): string => join(directories.dataDir, 'uploads.db')

type Place = Pick<Context, 'directories' | 'world'>

/** Opens the journal of this user's uploads, which is made when missing. */
export async function openJournal({ directories, world, err }: Place & Pick<Context, 'err'>) {
  const { openJournal } = await import('../journal/journal.ts')
  return openJournal(journalPath(directories), world.clock, err.hide)
}

/** Opens it to read from it alone. */
export async function readJournal({ directories, world }: Place) {
  const { readJournal } = await import('../journal/journal.ts')
  return readJournal(journalPath(directories), world.clock)
}

/** The opened journal or, if its file cannot be written, one in memory and a warning, so that uploads still work. */
export async function orMemoryJournal<J>(
  context: Context,
  open: (place: Place & Pick<Context, 'err'>) => Promise<J>,
): Promise<J | Journal> {
  try {
    return await open(context)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code !== 'journal_unwritable') throw error
    await context.warn({
      code: error.code,
      message: `${error.message}; an upload that is broken off cannot be gone on with`,
    })
    const { openMemoryJournal } = await import('../journal/journal.ts')
    return openMemoryJournal(context.world.clock)
  }
}

/** Renews the claims and deletes the URLs of ended uploads. Errors are ignored, because the next write reports them. */
function keepUp(journal: Journal): void {
  try {
    journal.renew()
    journal.wipe()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** What reads the books of a run: a thread of its own where there are many. */
async function openReader(files: number): Promise<{ read: Read; close(): Promise<void> }> {
  if (files >= worthAThread) return (await import('../transfer/reading-thread.ts')).openReadingThread()
  const { readHere } = await import('../transfer/reading.ts')
  return { read: readHere, close: async () => undefined }
}

/** Everything an upload needs; `close` ends what was opened for it. */
export async function openTools(
  context: Context,
  { wait, concurrency, files }: { wait: boolean; concurrency: number; files: number },
  { onStep, onWarning }: Pick<Tools, 'onStep' | 'onWarning'>,
): Promise<{ tools: Tools; underWay: LimitFunction; halt: AbortController; close(): Promise<void> }> {
  const { default: pLimit } = await import('p-limit')
  const { baseUrl } = await context.target()
  const journal = await orMemoryJournal(context, openJournal)
  const caller = await callerOf(context, journal).catch(error => {
    journal.close()
    throw error
  })
  // Each of the files that are under way listens to it, which Node would take for a leak.
  setMaxListeners(0, context.world.signal)
  const send = pLimit(concurrency)
  const pace = openPace(send)
  const pacing = setInterval(pace.judge, judgedEvery)
  pacing.unref()
  const timer = setInterval(() => keepUp(journal), renewal)
  timer.unref()
  const halt = new AbortController()
  const reach = createReach(context.world.clock)
  const reader = await openReader(files)
  return {
    halt,
    tools: {
      halt: AbortSignal.any([halt.signal, context.world.signal]),
      call: (endpoint, input, options) =>
        context.call(endpoint, input, { attempts: attemptsOf.upload, reach, ...options }),
      http: await context.http(),
      journal,
      read: reader.read,
      caller,
      clock: context.world.clock,
      signal: context.world.signal,
      userAgent,
      baseUrl,
      timeout: context.options.timeout,
      processingTimeout: wait ? (context.options.timeout ?? processingTimeout) : 0,
      waiting: context.waiting,
      reach,
      limits: { read: pLimit(2), send, ask: pLimit(8) },
      pace,
      creating: new Set(),
      onStep,
      onWarning,
    },
    // Files that are only waited for cost little, so many more may be under way than are sent.
    underWay: pLimit(concurrency * 64),
    async close() {
      clearInterval(timer)
      clearInterval(pacing)
      await reader.close()
      journal.close()
    },
  }
}
