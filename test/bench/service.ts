import { randomBytes } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** Where the two servers are. */
export interface Addresses {
  /** A service that answers at once, from texts made before. */
  readonly api: string
  /** A store that takes files off the wire and drops them. */
  readonly store: string
}

/** How many publications the service has where nothing else is said. */
export const publicationCount = 100_000
const pageSize = 50

/** How both servers are. */
interface Ways {
  /** After how many milliseconds each answer comes. */
  readonly delay: number
  /** How many bytes a second the store takes. */
  readonly rate: number
  /** How many publications the service has. */
  readonly publications: number
}

/** Runs both servers until the process is ended. */
export async function serve({ delay, rate, publications }: Ways): Promise<void> {
  const store = await listening(
    createServer(socket => {
      drop(socket, delay)
      if (Number.isFinite(rate)) slowDown(socket, rate)
    }),
  )
  const pages = Array.from({ length: Math.ceil(publications / pageSize) }, (_, index) =>
    pageOf(index, publications),
  )
  const api = await listening(
    createHttp((request, response) => later(delay, () => answer(request, response, store, pages))),
  )
  process.stdout.write(`${JSON.stringify({ api, store } satisfies Addresses)}\n`)
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Reads requests off a connection with as little work as possible, and answers each once its body is over. */
function drop(socket: Socket, delay: number): void {
  let head = ''
  let left = -1
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk
    if (left < 0) {
      const before = head.length
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (/expect: 100-continue/i.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      rest = chunk.subarray(end + 4 - before)
      head = ''
    }
    left -= rest.length
    if (left > 0) return
    left = -1
    later(delay, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
}

/** Takes no more than so many bytes a second off a connection. */
function slowDown(socket: Socket, rate: number): void {
  /** When all that was taken would have come at that rate. */
  let due = 0
  socket.on('data', ({ length }: Buffer) => {
    const now = performance.now()
    due = Math.max(due, now) + (length / rate) * 1000
    if (due - now < 1) return
    socket.pause()
    setTimeout(() => socket.resume(), due - now)
  })
}

function later(delay: number, work: () => void): void {
  if (delay > 0) setTimeout(work, delay)
  else work()
}

/** The query of a presigned address, as long as those of S3 are, and another each time. */
const presigned = (): string =>
  new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
    'X-Amz-Credential': 'ASIAEXAMPLEEXAMPLE00/20260101/eu-central-1/s3/aws4_request',
    'X-Amz-Date': '20260101T120000Z',
    'X-Amz-Expires': '900',
    'X-Amz-Security-Token': randomBytes(240).toString('base64'),
    'X-Amz-Signature': randomBytes(32).toString('hex'),
    'X-Amz-SignedHeaders': 'content-type;host',
    'x-id': 'PutObject',
  }).toString()

const context = { path: '', method: '', requestId: 'bench' }

function pageOf(index: number, publications: number): string {
  const first = index * pageSize
  const items = Array.from({ length: Math.min(pageSize, publications - first) }, (_, place) => {
    const number = first + place
    return {
      publicationId: `pub_${String(number).padStart(12, '0')}`,
      title: `The Long List of Everything, Part ${number}`,
      author: ['A. Writer', 'Another Writer'],
      type: 'EPUB',
      isReflowable: true,
      status: number % 3 === 0 ? 'draft' : 'live',
      uploadStatus: 'available',
      currentEditionId: `ed_${String(number).padStart(12, '0')}`,
      cover: null,
      createdAtIso: '2025-01-15T10:00:00.000Z',
      collectionIds: [],
    }
  })
  const isLast = first + pageSize >= publications
  return JSON.stringify({ items, nextToken: isLast ? null : String(index + 1), context })
}

function publicationOf(id: string): string {
  const number = id.slice('pub_'.length)
  const edition = {
    ...{ id: `ed_${number}`, type: 'EPUB', version: 1, isCurrentVersion: true, uploadStatus: 'available' },
    title: `The Long List of Everything, Part ${Number(number)}`,
    author: ['A. Writer', 'Another Writer'],
    metadata: { fileSize: '100000', publisher: 'Everything Press', number },
  }
  const item = {
    id,
    language: 'English',
    description: `Part ${Number(number)} of everything.`,
    editions: [edition],
  }
  return JSON.stringify({ item, context })
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: string,
  pages: readonly string[],
): void {
  const { method, url = '' } = request
  const send = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  request.resume()
  request.on('end', () => {
    const edition = {
      id: 'ed_1',
      version: 1,
      uploadStatus: method === 'POST' ? 'upload_pending' : 'available',
    }
    if (method === 'POST') {
      const item = { id: 'pub_1', editions: [edition] }
      const cover = { uploadUrl: `${store}/cover?${presigned()}`, requiredHeaders: {} }
      const result = { uploadUrl: `${store}/book?${presigned()}`, requiredHeaders: {}, cover }
      return void send(201, JSON.stringify({ item, result, context }))
    }
    const [, id] = /\/v1\/publications\/(pub_\d+)$/.exec(url) ?? []
    if (method === 'GET' && id !== undefined) return void send(200, publicationOf(id))
    if (url.endsWith('/metadata-keys')) return void send(200, JSON.stringify({ items: [], context }))
    if (url.includes('/editions/')) return void send(200, JSON.stringify({ item: edition, context }))
    // Nothing is found: each search would otherwise read a thousand publications.
    if (url.includes('search='))
      return void send(200, JSON.stringify({ items: [], nextToken: null, context }))
    return void send(200, pages[Number(/nextToken=(\d+)/.exec(url)?.[1] ?? 0)] ?? '{}')
  })
}
