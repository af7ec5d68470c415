import { randomUUID } from 'node:crypto'
import { type Fault, faultyServer, type Options, type Reply } from '../proxies/faulty-server.ts'
import type { Received } from './server.ts'

/** A book at the service. */
export interface Made {
  readonly id: string
  readonly title: string
  /** The upload request that made it. */
  request: string
  sent: Buffer | undefined
  puts: number
}

export const context = { path: '', method: '', requestId: 'r', authentication: { sub: 's', scopeId: 'x' } }

/**
 * A service with a store that takes books and makes them available at once, with faults. Upload sessions end after `expiresIn`
 * seconds.
 */
export async function bookService(
  faults: Fault | readonly Fault[] = [],
  { expiresIn = 900, ...options }: Options & { expiresIn?: number } = {},
) {
  const made: Made[] = []
  const editionOf = ({ id, sent }: Made) => ({
    id: `e${id}`,
    uploadStatus: sent ? 'available' : 'upload_pending',
  })
  /** The book that a creation asks for: the one that was made by the same request, or a new one. */
  const create = (request: string, title: string): Made => {
    const known = made.find(each => each.request === request)
    if (known) return known
    const book = { id: `p${made.length}`, request, title, sent: undefined, puts: 0 }
    made.push(book)
    return book
  }
  const answer = ({ method, url, headers, body }: Received): Reply => {
    const route = `${method} ${url.split('?')[0]}`
    const asked = method === 'POST' ? JSON.parse(body.toString()) : {}
    const address = (kind: string, id: string) =>
      `http://${headers.host}/${kind}/${id}?X-Amz-Signature=${randomUUID()}`
    const session = (id: string) => ({
      ...{ uploadUrl: address('put', id), expiresIn, requiredHeaders: {} },
      ...(asked.coverFilename !== undefined && {
        cover: { uploadUrl: address('cover', id), requiredHeaders: {} },
      }),
    })
    const ok = (more: object, status = 200) => ({ status, body: { ...more, context } })
    if (route === 'POST /v1/publications') {
      const book = create(asked.uploadRequestId, asked.edition.title)
      return ok({ item: { id: book.id, editions: [editionOf(book)] }, result: session(book.id) }, 201)
    }
    if (route === 'POST /v1/publication-uploads') {
      const book = made.find(({ request }) => request === asked.uploadRequestId)
      return ok({ result: session(book?.id ?? '') }, 201)
    }
    if (route.startsWith('PUT /cover/')) return { status: 200 }
    const id = /(?:put|publications)\/(p\d+)/.exec(url)?.[1]
    const book = made.find(each => each.id === id)
    if (method === 'PUT' && book) {
      book.sent = body
      book.puts++
      return { status: 200 }
    }
    const author = ['The Makers of pubctl']
    if (route === 'GET /v1/publications') {
      const items = made.map(each => ({
        ...{ publicationId: each.id, title: each.title, type: 'EPUB', author },
        ...{ uploadStatus: editionOf(each).uploadStatus, currentEditionId: `e${each.id}` },
        createdAtIso: new Date().toISOString(),
      }))
      return ok({ items, defaultPublicationId: '' })
    }
    if (!book) return { status: 404, body: { error: 'EMPTY_RESPONSE', message: 'no', context } }
    const edition = editionOf(book)
    if (url.includes('/editions/')) return ok({ item: edition })
    return ok({ item: { id: book.id, editions: [{ ...edition, title: book.title, author, type: 'EPUB' }] } })
  }
  return { ...(await faultyServer(faults, { ...options, before: answer })), made }
}
