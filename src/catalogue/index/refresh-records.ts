import type { LimitFunction } from 'p-limit'
import type { IndexedPublication } from '../../plan/known.ts'
import type { Call } from '../../service/client/call.ts'
import { exitCodes, Failure, isFatal } from '../../system/errors.ts'
import type { Caller } from '../../uploads/journal/caller.ts'
import type { LocalJournalReader } from '../../uploads/journal/local-reader.ts'
import { knownPublication } from '../../uploads/lookup/known-publication.ts'
import { readPublication } from '../../uploads/lookup/read-publication.ts'
import type { IndexStore } from './index-store.ts'
import { indexedPublication, type ListedPublication, unreadPublication } from './listed.ts'

/** What reads publications into the index. */
export interface Reader {
  readonly call: Call
  readonly journal: LocalJournalReader
  readonly caller: Caller
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Limits how many publications are read at a time, for all that read. */
  readonly limit: LimitFunction
}

/** A publication to be read, and what the listing says of it if it was listed. */
export interface ToRead {
  readonly publicationId: string
  readonly listed: ListedPublication | null
}

/** A publication that could not be read, and why. */
export interface Unread {
  readonly publicationId: string
  readonly failure: Failure
}

/** What a listing said, from its text; null for a text that makes no sense. */
export function listedIn(text: string | null): ListedPublication | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

export interface RecordsRead {
  readonly read: number
  /** Those that the service does not have any more. */
  readonly removed: readonly string[]
  readonly unread: readonly Unread[]
}

/** After so many failures and no success in between, the rest would fail as well. */
const givenUpAfter = 16

/**
 * Reads publications and keeps what was read, also when it is stopped. One that cannot be read is kept as the listing or an
 * earlier reading has it, with the reason.
 */
export async function refreshRecords(
  index: IndexStore,
  toRead: readonly ToRead[],
  reader: Reader,
  onRead: () => void = () => undefined,
): Promise<RecordsRead> {
  const { call, journal, caller, now, limit } = reader
  const read: { publication: IndexedPublication; listed: string | null }[] = []
  const removed: string[] = []
  const unread: Unread[] = []
  let failedInARow = 0
  let stopped: unknown

  async function readOne({ publicationId, listed }: ToRead): Promise<void> {
    const readAt = now()
    const listedText = listed && JSON.stringify(listed)
    try {
      const item = await readPublication(call, publicationId)
      // Where the listing has it, it may be there all the same, and must not be taken for missing.
      if (item === undefined && listed !== null) throw listedOnly(publicationId)
      if (item === undefined) return void removed.push(publicationId)
      const known = knownPublication(publicationId, item, journal.findPublication(caller, publicationId))
      read.push({ publication: indexedPublication(known, listed, readAt), listed: listedText })
      failedInARow = 0
    } catch (error) {
      if (!(error instanceof Failure) || isFatal(error)) throw error
      unread.push({ publicationId, failure: error })
      const kept = index.get(publicationId)
      if (kept) read.push({ publication: { ...kept, unread: error.message }, listed: listedText })
      else if (listed)
        read.push({ publication: unreadPublication(listed, error.message, readAt), listed: listedText })
      failedInARow++
      if (failedInARow >= givenUpAfter) throw error
    }
  }

  await Promise.all(
    toRead.map(each =>
      limit(async () => {
        if (stopped !== undefined) return
        try {
          await readOne(each)
          onRead()
        } catch (error) {
          stopped ??= error
        }
      }),
    ),
  )
  index.put(read)
  index.remove(removed)
  if (stopped !== undefined) throw stopped
  return { read: read.length - unread.length, removed, unread }
}

const listedOnly = (publicationId: string) =>
  new Failure(`the service lists ${publicationId}, and says that there is no such publication`, {
    code: 'not_found',
    exitCode: exitCodes.notFound,
    hint: 'It may just have been deleted: run the command again.',
  })
