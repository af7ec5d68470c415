import type { Call } from '../../service/client/call.ts'
import { pagesOf } from '../../service/client/pages.ts'
import type { Resource } from '../../service/client/read.ts'
import type { Publication, PublicationSummary } from '../../service/contract/publication.ts'
import { publications } from '../../service/contract/publications.ts'
import { once } from '../../system/once.ts'
import type { Warning } from '../../system/warning.ts'
import { contentKeyOf, withoutContentKey } from './metadata-keys.ts'
import { readPublication } from './read-publication.ts'

/** What a listing says of a publication; null where it says nothing. */
interface Summary {
  readonly publicationId: string
  readonly title: string | null
  readonly authors: readonly string[] | null
  readonly type: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number | null
}

/** The result of a search. */
interface Found {
  readonly items: readonly Summary[]
  /** Whether the service has more than were read. */
  readonly isCut: boolean
}

/**
 * Looks up publications that may be a book, each query once in a run. A book is looked up before it is created, so a cached
 * result contains nothing that the same run creates.
 */
export interface ServiceLookup {
  search(text: string): Promise<Found>
  /** Undefined when there is no such publication. */
  publication(id: string): Promise<Resource<typeof Publication> | undefined>
  /** Whether the scope has an active metadata key `sha256` for the content of editions. */
  hasContentKey(): Promise<boolean>
}

/** The most publications to read for one search, because a service may ignore the search text. */
const mostLookedAt = 1000

/** `onWarning` is told once if content is to be recorded and there is no metadata key for it. */
export function openLookup(
  call: Call,
  ask: <T>(work: () => Promise<T>) => Promise<T>,
  onWarning: (warning: Warning) => void = () => undefined,
): ServiceLookup {
  const paced: Call = (endpoint, input) => ask(() => call(endpoint, input))
  const search = once(async (text: string): Promise<Found> => {
    const pages: Summary[][] = []
    let isCut = false
    const onMore = () => {
      isCut = true
    }
    for await (const page of pagesOf(
      paced,
      publications.list,
      { search: text },
      { limit: mostLookedAt, onMore },
    ))
      pages.push(page.value.flatMap(summaryOf))
    return { items: pages.flat(), isCut }
  })
  const publication = once((id: string) => readPublication(paced, id))
  const hasKey = once(async () => {
    const state = await contentKeyOf(paced)
    const warning = withoutContentKey(state)
    if (warning) onWarning(warning)
    return state === 'active'
  })
  return {
    search: text => search(text.normalize('NFC').trim()),
    publication,
    hasContentKey: hasKey,
  }
}

function summaryOf(item: Resource<typeof PublicationSummary>): Summary[] {
  const { publicationId, title, author, type, createdAtIso } = item
  if (publicationId === null) return []
  const createdAt = Date.parse(createdAtIso ?? '')
  const made = { createdAt: Number.isNaN(createdAt) ? null : createdAt }
  return [{ publicationId, title, authors: author, type, ...made }]
}
