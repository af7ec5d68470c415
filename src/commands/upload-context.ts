import { join } from 'node:path'
import type { Context } from '../context.ts'
import { UsageFailure } from '../errors.ts'
import type { Caller } from '../journal/caller.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { findCaller } from '../transfer/find-caller.ts'
import { type OpenTransfer, openTransfer } from '../transfer/open.ts'
import type { TransferContext } from '../transfer/transfer-context.ts'
import { userAgent } from '../version.ts'
import { processingTimeout } from './wait.ts'

/** The service as the journal names it: its address, or the sandbox's folder. */
export async function targetOf(context: Context): Promise<string> {
  const settings = await context.settings()
  return settings.isSandbox ? `sandbox:${join(context.directories.dataDir, 'sandbox')}` : settings.baseUrl
}

/** The organisation that this command uploads for. */
export async function callerOf(context: Context, journal: JournalReader): Promise<Caller> {
  const { isSandbox } = await context.settings()
  return await findCaller(
    {
      target: await targetOf(context),
      isSandbox,
      isDryRun: context.options.dryRun === true,
      key: async () => (await context.target()).key,
      scopeId: context.scopeId,
      call: context.call,
    },
    journal,
  )
}

type Place = Pick<Context, 'directories' | 'world'>

/** The journal's path; the file is created with the first upload. */
const journalPath = ({ directories }: Place): string => join(directories.dataDir, 'uploads.db')

/** Opens the journal of this user's uploads, and creates it if there is none. */
export async function openJournal(context: Place & Pick<Context, 'err'>) {
  const { openJournal } = await import('../journal/journal.ts')
  return openJournal(journalPath(context), context.world.clock, context.err.hide)
}

/** Opens it read-only. */
export async function readJournal(context: Place) {
  const { readJournal } = await import('../journal/journal.ts')
  return readJournal(journalPath(context), context.world.clock)
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

/** Opens what all uploads of this command share. */
export async function openUploads(
  context: Context,
  { wait, concurrency, files }: { wait: boolean; concurrency: number; files: number },
  { onStep, onWarning }: Pick<TransferContext, 'onStep' | 'onWarning'>,
): Promise<OpenTransfer> {
  const { world, options, waiting } = context
  const { baseUrl } = await context.target()
  const journal = await orMemoryJournal(context, openJournal)
  try {
    return await openTransfer({
      ...{ concurrency, files, journal, waiting, userAgent, baseUrl, onStep, onWarning },
      caller: await callerOf(context, journal),
      call: context.call,
      http: await context.http(),
      clock: world.clock,
      signal: world.signal,
      timeout: options.timeout,
      processingTimeout: wait ? (options.timeout ?? processingTimeout) : 0,
    })
  } catch (error) {
    journal.close()
    throw error
  }
}
