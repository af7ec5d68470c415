import type { Context } from '../../cli/context.ts'
import type { Caller } from '../journal/caller.ts'
import type { SentStore } from '../sent/sent.ts'

/** What was sent for a caller from this machine. */
export async function sentFor({ directories, err, warn }: Context, caller: Caller): Promise<SentStore> {
  const { openSentStore } = await import('../sent/sent-store.ts')
  return openSentStore({
    ...{ dataDir: directories.dataDir, caller, hide: err.hide },
    onWarning: warning => void warn(warning),
  })
}
