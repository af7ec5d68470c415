import type { Call } from '../client/call.ts'
import { publications } from '../contract/publications.ts'
import type { Caller } from '../journal/caller.ts'
import type { JournalReader } from '../journal/journal-reader.ts'

/** What tells on whose behalf a command uploads. */
export interface Account {
  /** The service as the journal names it: its address, or the folder of the sandbox. */
  readonly target: string
  readonly isSandbox: boolean
  /** Whether the key is fetched only where the journal has something to compare it with. */
  readonly isDryRun: boolean
  readonly key: () => Promise<string>
  /** `context.authentication.scopeId` of the latest answer that had one; null before. */
  readonly scopeId: () => string | null
  readonly call: Call
}

/**
 * On whose behalf this command uploads. Its scope is known from an earlier upload with the same key, or becomes known with
 * the first answer; the service is asked for it only where the journal has uploads with another key.
 */
export async function findCaller(account: Account, journal: JournalReader): Promise<Caller> {
  const { target, isSandbox, scopeId, call } = account
  // A sandbox is one scope, whatever the key.
  const keyDigest = isSandbox ? 'sandbox' : await digestOf(account, journal)
  const before = journal.scopeOf({ target, keyDigest })
  const isToldApart = before !== null || scopeId() !== null
  if (!isToldApart && journal.hasOtherKeys({ target, keyDigest })) await call(publications.list, { limit: 1 })
  return {
    target,
    keyDigest,
    get scopeId() {
      return scopeId() ?? before
    },
  }
}

async function digestOf({ target, isDryRun, key }: Account, journal: JournalReader): Promise<string | null> {
  if (isDryRun && !journal.hasOtherKeys({ target, keyDigest: null })) return null
  const { keyDigestOf } = await import('../journal/key-digest.ts')
  return keyDigestOf(target, await key())
}
