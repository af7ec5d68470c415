import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { findCaller } from '../find-caller.ts'
import type { Caller } from '../journal/caller.ts'
import type { LocalJournalReader } from '../journal/local-reader.ts'

/** The service as the journal names it: its address, or the sandbox's folder. */
export async function callerTarget(context: Context): Promise<string> {
  const settings = await context.settings()
  return settings.isSandbox ? `sandbox:${join(context.directories.dataDir, 'sandbox')}` : settings.baseUrl
}

/** The organisation that this command uploads for. */
export async function callerOf(context: Context, journal: LocalJournalReader): Promise<Caller> {
  const { isSandbox } = await context.settings()
  return await findCaller(
    {
      target: await callerTarget(context),
      isSandbox,
      isDryRun: context.options.dryRun === true,
      key: async () => (await context.target()).key,
      scopeId: context.scopeId,
      call: context.call,
    },
    journal,
  )
}
