import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { json, type Received, serve } from './server.ts'

/** A book at the service. */
export interface Made {
  readonly id: string
  readonly request: string
  readonly title: string
  sent: Buffer | undefined
  puts: number
}

type Trouble = (request: Received, response: ServerResponse, made: Made[]) => boolean | undefined

/** The book that a creation asks for: the one that was made by the same request, or a new one. */
export function create(made: Made[], { body }: Received): Made {
  const { uploadRequestId, edition } = JSON.parse(body.toString())
  const known = made.find(({ request }) => request === uploadRequestId)
  if (known) return known
  const book = {
    id: `p${made.length}`,
    request: uploadRequestId,
    title: edition.title,
    sent: undefined,
    puts: 0,
  }
  made.push(book)
  return book
}

const context = { path: '', method: '', requestId: 'r', authentication: { sub: 's', scopeId: 'x' } }

/**
 * A service with a store that takes books and makes them available at once. `trouble` may answer a request in its place,
 * and says so by returning true. `port` 0 is any that is free. Upload sessions end after `expiresIn` seconds.
 */
export async function stubbornService(trouble: Trouble = () => false, port = 0, expiresIn = 900) {
  const made: Made[] = []
  const log: string[] = []
  const edition = ({ id, sent }: Made) => ({
    id: `e${id}`,
    uploadStatus: sent ? 'available' : 'upload_pending',
  })
  const publication = (book: Made) => ({
    id: book.id,
    editions: [{ ...edition(book), title: book.title, author: ['The Makers of pubctl'], type: 'EPUB' }],
  })
  const { url } = await serve((request, response) => {
    const { method, url: path, body } = request
    // Uploads come the way that the request came.
    const own = `http://${request.headers.host}`
    const route = `${method} ${path.split('?')[0]}`
    log.push(route)
    if (trouble(request, response, made)) return
    const session = (id: string) => ({
      uploadUrl: `${own}/put/${id}?X-Amz-Signature=${randomUUID()}`,
      expiresIn,
      requiredHeaders: {},
      ...(method === 'POST' && JSON.parse(body.toString()).coverFilename !== undefined
        ? { cover: { uploadUrl: `${own}/cover/${id}?X-Amz-Signature=${randomUUID()}`, requiredHeaders: {} } }
        : {}),
    })
    if (route === 'POST /v1/publications') {
      const known = create(made, request)
      return json(response, 201, {
        item: { id: known.id, editions: [edition(known)] },
        result: session(known.id),
        context,
      })
    }
    if (route === 'POST /v1/publication-uploads') {
      const known = made.find(({ request }) => request === JSON.parse(body.toString()).uploadRequestId)
      return json(response, 201, { result: session(known?.id ?? ''), context })
    }
    if (route.startsWith('PUT /cover/')) return void response.writeHead(200).end()
    const id = /(?:put|publications)\/(p\d+)/.exec(path)?.[1]
    const known = made.find(each => each.id === id)
    if (method === 'PUT' && known) {
      known.sent = body
      known.puts++
      return void response.writeHead(200).end()
    }
    if (route === 'GET /v1/publications') {
      const items = made.map(each => ({
        publicationId: each.id,
        title: each.title,
        type: 'EPUB',
        author: ['The Makers of pubctl'],
        uploadStatus: edition(each).uploadStatus,
        currentEditionId: `e${each.id}`,
        createdAtIso: new Date().toISOString(),
      }))
      return json(response, 200, { items, defaultPublicationId: '', context })
    }
    const item = known && (path.includes('/editions/') ? edition(known) : publication(known))
    return item
      ? json(response, 200, { item, context })
      : json(response, 404, { error: 'EMPTY_RESPONSE', message: 'no', context })
  }, port)
  return { url, made, log, env: { PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url } }
}
