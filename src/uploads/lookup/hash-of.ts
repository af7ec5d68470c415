import { resolve } from 'node:path'
import type { WantedFile } from '../../plan/wanted.ts'
import { stat } from '../../system/files.ts'
import type { Caller } from '../journal/caller.ts'
import type { LocalJournalReader } from '../journal/local-reader.ts'
import type { Hash } from '../reading/reading.ts'

interface Hashing {
  /** All files of the batch. */
  readonly rows: readonly WantedFile[]
  readonly isSearched: boolean
  readonly journal: LocalJournalReader
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * The SHA-256 that a decision needs. A file is read for it before it is sent only if the service is searched, or if an
 * earlier upload or another file of the batch has its size: otherwise it is no copy of anything.
 */
export function hashOf({ rows, isSearched, journal, caller, signal }: Hashing): Hash {
  let sizes: Promise<ReadonlySet<number>> | undefined
  return async ({ file, bytes, modified }, compute) => {
    if (isSearched) return await compute(signal)
    const known = journal.knownHash(file, bytes, modified)
    if (known !== null) return known
    sizes ??= repeatedSizes(rows)
    const mayBeCopy = journal.hasSize(caller.target, bytes) || (await sizes).has(bytes)
    return mayBeCopy ? await compute(signal) : null
  }
}

/** The sizes that several files of the batch have, or one file that is named twice. */
async function repeatedSizes(rows: readonly WantedFile[]): Promise<ReadonlySet<number>> {
  const seen = new Set<number>()
  const repeated = new Set<number>()
  if (rows.length < 2) return repeated
  const all = await Promise.all(rows.map(({ file }) => stat(resolve(file)).catch(() => undefined)))
  for (const stats of all) {
    if (stats === undefined) continue
    if (seen.has(stats.size)) repeated.add(stats.size)
    seen.add(stats.size)
  }
  return repeated
}
