import { pagesOf } from '../../service/client/pages.ts'
import { publications } from '../../service/contract/publications.ts'
import type { IndexStore } from './index-store.ts'
import { listedPublication } from './listed.ts'
import type { ListingCounts } from './listing.ts'
import { listedIn, type Reader, refreshRecords, type Unread } from './refresh-records.ts'

interface RefreshOptions extends Reader {
  /** Opens the index. Called after the first answer, which says whose publications these are. */
  readonly open: () => IndexStore
  readonly reads: Reads
  /** Compares only: nothing is read, and nothing is kept. */
  readonly isDryRun: boolean
  readonly onProgress: (progress: RefreshProgress) => void
}

/**
 * What of the service is read: `all`, or what is `outdated`, since it is new, changed or not read yet. With `later`, that is put
 * off, and only what could not be read or is not listed any more is read.
 */
export type Reads = 'all' | 'outdated' | 'later'

/** So many were listed; or of `outdated` ones, so many were read. */
type RefreshProgress = { readonly listed: number } | { readonly read: number; readonly outdated: number }

export interface Refreshed {
  readonly listed: number
  /** How many requests the listing took. */
  readonly pages: number
  /** When the index had been compared with a whole listing before, in milliseconds since 1970; null if never. */
  readonly comparedBefore: number | null
  /** How many listed records had no id, and cannot be kept. */
  readonly withoutId: number
  /** What the comparison found. */
  readonly counts: ListingCounts
  readonly read: number
  readonly removed: number
  readonly unread: readonly Unread[]
}

/** How many publications are read before they are stored. */
const chunk = 200

/**
 * Compares the index with the listing of all publications, and reads what is new or changed. What is missing in the listing
 * is asked for by its id before it is removed, because a listing can skip records while others are deleted.
 */
export async function refreshIndex(options: RefreshOptions): Promise<Refreshed & { index: IndexStore }> {
  const { call, open, reads, isDryRun, onProgress, journal, caller, now } = options
  const began = now()
  let index: IndexStore | undefined
  try {
    let [listed, pages, withoutId] = [0, 0, 0]
    const limit = Number.POSITIVE_INFINITY
    for await (const page of pagesOf(call, publications.list, {}, { limit })) {
      if (index === undefined) {
        index = open()
        index.listing.begin()
      }
      const named = page.value.map(listedPublication).filter(each => each !== undefined)
      index.listing.add(
        named.map(each => ({ publicationId: each.publicationId, listed: JSON.stringify(each) })),
      )
      pages++
      listed += named.length
      withoutId += page.raw.length - named.length
      onProgress({ listed })
    }
    // A listing always has a page, if an empty one.
    index ??= open()
    const comparedAt = index.comparedAt()
    const changed = comparedAt === null ? [] : journal.publicationsSince(caller, comparedAt)
    const all = reads === 'all'
    const counts = index.listing.compare({ all, notReadYet: reads !== 'later', changed, began })
    let outdated = counts.new + counts.changed + counts.missing
    if (reads === 'later' && !isDryRun) outdated -= putOff(index)
    const rest = isDryRun ? nothing : await readOutdated(index, outdated, options)
    if (!isDryRun) index.wasCompared(began)
    return { index, listed, pages, withoutId, comparedBefore: comparedAt, counts, ...rest }
  } catch (error) {
    index?.close()
    throw error
  }
}

const nothing = { read: 0, removed: 0, unread: [] }

/** Keeps of what is new or changed that it is not read yet, and gives how many these are. */
function putOff(index: IndexStore): number {
  let count = 0
  for (let after = 0; ; ) {
    const next = index.listing.outdated(after, chunk)
    const last = next.at(-1)
    if (last === undefined) return count
    after = last.number
    const later = next
      .filter(({ unread }) => unread === null)
      .map(({ listed }) => listedIn(listed))
      .filter(each => each !== null)
    index.putOff(later)
    index.listing.leave(later.map(({ publicationId }) => publicationId))
    count += later.length
  }
}

async function readOutdated(index: IndexStore, outdated: number, options: RefreshOptions) {
  const unread: Unread[] = []
  let [read, removed, done] = [0, 0, 0]
  const onRead = () => {
    done++
    options.onProgress({ read: done, outdated })
  }
  for (let after = 0; ; ) {
    const next = index.listing.outdated(after, chunk)
    const last = next.at(-1)
    if (last === undefined) return { read, removed, unread }
    after = last.number
    const toRead = next.map(({ publicationId, listed }) => ({ publicationId, listed: listedIn(listed) }))
    const result = await refreshRecords(index, toRead, options, onRead)
    read += result.read
    removed += result.removed.length
    unread.push(...result.unread)
  }
}
