import type { Call } from '../service/client/call.ts'
import { publications } from '../service/contract/publications.ts'
import type { Caller } from './journal/caller.ts'
import type { LocalJournalReader } from './journal/local-reader.ts'

/** What identifies the organisation that a command uploads for. */
export interface Account {
  /** The service as the journal names it: its address, or the folder of the sandbox. */
  readonly target: string
  readonly isSandbox: boolean
  /** A dry run fetches the key only if the journal has uploads to compare it with. */
  readonly isDryRun: boolean
  readonly key: () => Promise<string>
  /** `context.authentication.scopeId` of the latest answer that had one; null before that. */
  readonly scopeId: () => string | null
  readonly call: Call
}

/**
 * The organisation that this command uploads for. Its scope is known from an earlier upload with the same key, or from the
 * first answer. It is requested separately only if the journal has uploads with another key.
 */
export async function findCaller(account: Account, journal: LocalJournalReader): Promise<Caller> {
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

async function digestOf(
  { target, isDryRun, key }: Account,
  journal: LocalJournalReader,
): Promise<string | null> {
  if (isDryRun && !journal.hasOtherKeys({ target, keyDigest: null })) return null
  const { keyDigestOf } = await import('./journal/key-digest.ts')
  return keyDigestOf(target, await key())
}
