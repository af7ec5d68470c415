import { type Fault, faultyServer, type Reply } from '../proxies/faulty-server.ts'
import type { Received } from './server.ts'

/** A publication of the service. */
export interface Listed {
  title: string
  author: string[]
  isbn: string | null
  editionId: string
  uploadStatus: string
  description: string
  metadata: Record<string, unknown>
}

interface ListedServiceOptions {
  /** How many publications it has at first. */
  readonly count: number
  /** Whether it gives back neither metadata nor the fields of a publication, as far as its document allows. */
  readonly isBare?: boolean
  readonly faults?: Fault | readonly Fault[]
  readonly scopeId?: string | null
  /** What the service searches, besides titles; nothing at all if it ignores what is searched for. */
  readonly searches?: 'isbns' | 'titles' | 'nothing'
}

const made = (number: number): Listed => ({
  title: `Book ${number}`,
  author: ['A. Writer', 'Another Writer'],
  isbn: isbnOf(number),
  editionId: `ed_${number}`,
  uploadStatus: 'available',
  description: `What book ${number} is about`,
  metadata: {},
})

/** The ISBN of the publication of this number, with a valid check digit. */
export function isbnOf(number: number): string {
  const body = `978${String(number).padStart(9, '0')}`
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return body + ((10 - (sum % 10)) % 10)
}

/** A service of many publications that can only be listed and read, made on demand; what is changed stays in `changed`. */
export async function listedService({
  count,
  isBare = false,
  faults = [],
  scopeId = 'scope_1',
  searches = 'titles',
}: ListedServiceOptions) {
  const changed = new Map<string, Partial<Listed>>()
  const removed = new Set<string>()
  let total = count
  const context = {
    ...{ path: '', method: '', requestId: 'r' },
    ...(scopeId === null ? {} : { authentication: { sub: 's', scopeId } }),
  }
  const idOf = (number: number) => `pub_${number}`
  const unchanged = new Map<string, Listed>()
  // Kept, since a search looks at all of them.
  const unchangedOf = (id: string): Listed => {
    const known = unchanged.get(id) ?? made(Number(id.slice(4)))
    unchanged.set(id, known)
    return known
  }
  const bookOf = (id: string): Listed => {
    const change = changed.get(id)
    return change === undefined ? unchangedOf(id) : { ...unchangedOf(id), ...change }
  }

  const summaryOf = (id: string) => {
    const { title, author, editionId, uploadStatus } = bookOf(id)
    const summary = {
      publicationId: id,
      title,
      author,
      type: 'EPUB',
      currentEditionId: editionId,
      uploadStatus,
    }
    return { ...summary, status: 'live', createdAtIso: '2026-01-01T00:00:00.000Z', collectionIds: [] }
  }
  const editionOf = (id: string) => {
    const { title, author, isbn, editionId, uploadStatus, metadata } = bookOf(id)
    if (isBare) return { id: editionId, uploadStatus }
    const kept = { fileSize: '1000', ...(isbn && { isbn }), ...metadata }
    return {
      id: editionId,
      type: 'EPUB',
      version: 1,
      isCurrentVersion: true,
      title,
      author,
      uploadStatus,
      metadata: kept,
    }
  }
  const answer = ({ url }: Received): Reply => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const search = searchParams.get('search')
    if (pathname === '/v1/publications') {
      const limit = Number(searchParams.get('limit') ?? 10)
      const items: unknown[] = []
      let at = Number(searchParams.get('nextToken') ?? 0)
      const isFound = (id: string) => {
        if (search === null || searches === 'nothing') return true
        const { title, isbn } = bookOf(id)
        return title.includes(search) || (searches === 'isbns' && isbn === search)
      }
      for (; at < total && items.length < limit; at++)
        if (!removed.has(idOf(at)) && isFound(idOf(at))) items.push(summaryOf(idOf(at)))
      const nextToken = at < total ? `${at}` : null
      return { status: 200, body: { items, nextToken, defaultPublicationId: '', context } }
    }
    if (pathname === '/v1/resources/metadata-keys') return { status: 200, body: { items: [], context } }
    const [, id = '', isEditions] = /^\/v1\/publications\/(pub_\d+)(\/editions)?$/.exec(pathname) ?? []
    if (id === '' || Number(id.slice(4)) >= total || removed.has(id))
      return { status: 404, body: { error: 'EMPTY_RESPONSE', message: 'no', context } }
    if (isEditions) return { status: 200, body: { items: [editionOf(id)], context } }
    const item = isBare
      ? { id }
      : {
          id,
          language: 'English',
          description: bookOf(id).description,
          sampleItems: [],
          isForInternalReadingInstance: false,
          editions: [editionOf(id)],
        }
    return { status: 200, body: { item, context } }
  }
  const service = await faultyServer(faults, { before: answer })
  return {
    ...service,
    changed,
    removed,
    add: (more: number) => {
      total += more
    },
    /** How many requests there were since the last call: for pages of the listing, and for anything else. */
    requests() {
      const taken = service.log.splice(0)
      const pages = taken.filter(each => each === 'GET /v1/publications').length
      return { pages, reads: taken.length - pages }
    },
  }
}
