import { createServer } from 'node:http'
import { listening } from './server.ts'

interface GeneratedOptions {
  /** Milliseconds until a request is answered, until a file is taken, and until a book that was sent is available. */
  readonly answer: number
  readonly upload: number
  readonly processing: number
}

const context = { path: '', method: '', requestId: 'r', authentication: { sub: 's', scopeId: 'scope_1' } }

/** A service that is made up: it takes any number of books, keeps none of their bytes, and is as slow as it is told to be. */
export async function generatedService({ answer, upload, processing }: GeneratedOptions) {
  const ids = new Map<string, number>()
  const sentAt = new Map<number, number>()
  const requests = new Map<string, number>()
  let own = ''
  const editionOf = (id: number) => ({ id: `ed_${id}`, version: 1, uploadStatus: statusOf(sentAt.get(id)) })
  const statusOf = (sent: number | undefined): string => {
    if (sent === undefined) return 'upload_pending'
    return performance.now() - sent >= processing ? 'available' : 'scan_pending'
  }
  const create = (body: string): object => {
    const { uploadRequestId } = JSON.parse(body)
    const id = ids.get(uploadRequestId) ?? ids.size
    ids.set(uploadRequestId, id)
    const result = { uploadUrl: `${own}/put/${id}`, expiresIn: 900, requiredHeaders: {} }
    return { item: { id: `pub_${id}`, editions: [editionOf(id)] }, result, context }
  }
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const route = `${method} ${url.replace(/\?.*/, '').replaceAll(/\d{1,9}$|(?<=_)\d+/g, '{id}')}`
    requests.set(route, (requests.get(route) ?? 0) + 1)
    const send = (status: number, body: object | undefined, delay: number) =>
      setTimeout(() => response.writeHead(status, json).end(body && JSON.stringify(body)), delay)
    let body = ''
    if (method === 'POST') request.setEncoding('utf8').on('data', text => (body += text))
    else request.resume()
    request.on('end', () => {
      const id = Number(/(?:pub_|put\/)(\d+)/.exec(url)?.[1] ?? -1)
      if (method === 'POST') return void send(201, create(body), answer)
      if (method === 'PUT') {
        sentAt.set(id, performance.now() + upload)
        return void send(200, undefined, upload)
      }
      if (url.includes('/editions/')) return void send(200, { item: editionOf(id), context }, answer)
      send(200, { items: [], nextToken: null, defaultPublicationId: '', context }, answer)
    })
  })
  own = `http://127.0.0.1:${await listening(server)}`
  return {
    url: own,
    scopeId: context.authentication.scopeId,
    /** How many requests there were, by method and path. */
    requests,
    /** How many books were sent. */
    sent: () => sentAt.size,
  }
}

const json = { 'content-type': 'application/json' }
