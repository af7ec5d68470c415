import { type Entry, fingerprintOf } from './entry.ts'
import { sha256Of } from './hash.ts'
import type { JournalReader } from './journal-reader.ts'
import type { UploadPlan } from './plan.ts'
import { isOwnUpload } from './skip.ts'

/** What an upload would come to. */
export type Prospect =
  | { readonly will: 'begin' }
  | { readonly will: 'be skipped'; readonly since: 'was uploaded before' | 'is here twice' }
  | { readonly will: 'be gone on with'; readonly entry: Entry }

interface ForeseeOptions {
  readonly journal: JournalReader
  readonly target: string
  readonly editionOf: string | null
  readonly skipExisting: boolean
  readonly signal: AbortSignal
}

/** Says of one file of a batch after the other what would come of it, by what the journal knows; the service is not asked. */
export function foreseer({
  journal,
  target,
  editionOf,
  skipExisting,
  signal,
}: ForeseeOptions): (plan: UploadPlan) => Promise<Prospect> {
  /** The contents, and the uploads, that the batch has before. */
  const before = new Set<string>()
  const isRepeated = (mark: string): boolean => before.has(mark) || !before.add(mark)
  return async plan => {
    const { file, bytes, modified } = plan
    if (skipExisting) {
      const sha256 =
        plan.sha256 ?? journal.knownHash(file, bytes, modified) ?? (await sha256Of(file, bytes, signal))
      if (isRepeated(sha256)) return { will: 'be skipped', since: 'is here twice' }
      const [latest] = journal.findContent(target, sha256)
      if (latest && !isOwnUpload(latest, file)) return { will: 'be skipped', since: 'was uploaded before' }
    }
    const fingerprint = fingerprintOf(plan, editionOf)
    if (isRepeated(fingerprint)) return { will: 'be skipped', since: 'is here twice' }
    const entry = journal.findSame({ target, fingerprint, bytes, modified }, new Set())
    if (entry?.stage === 'finished') return { will: 'be skipped', since: 'was uploaded before' }
    return entry ? { will: 'be gone on with', entry } : { will: 'begin' }
  }
}
