import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FaultInjection, type Handling, injectFault } from './inject-fault.ts'
import { originErrorOf } from './origin-check.ts'
import type { ServiceAnswer, ServiceRequest } from './service.ts'

/** The longest body of the JSON API. */
const bodyLimit = 2 ** 20
/** The bytes that are read of a body that is too long, so that its sender can read the answer. */
const drainLimit = 64 * 2 ** 20
const bodyMilliseconds = 30_000
/** How long requests that are under way may take once the server closes. */
const graceMilliseconds = 1000

/** Answers what is sent to a presigned URL, from its first byte to its last. */
interface PresignedTarget {
  handle(req: IncomingMessage, res: ServerResponse, how: Handling): void
}

export interface Listener {
  origin: string
  port: number
  close(): Promise<void>
}

/**
 * Listens on the loopback interface alone. `api` answers the JSON API; what is sent to /uploads/ goes to the presigned
 * target; faults are injected into both. Rejects with the system's error when the port cannot be had.
 */
export async function listen(
  port: number,
  api: (request: ServiceRequest) => ServiceAnswer,
  target: PresignedTarget,
  injection: FaultInjection,
): Promise<Listener> {
  // Books may take long to arrive; bodies of the API have a timer of their own.
  const server = createServer({ requestTimeout: 0 })
  const serve = (req: IncomingMessage, res: ServerResponse): void =>
    void injectFault(injection, res, how => {
      if (req.url?.startsWith('/uploads/')) {
        target.handle(req, res, how)
        return
      }
      if (/100-continue/i.test(req.headers.expect ?? '')) res.writeContinue()
      void serveApi(req, res, api, how)
    })
  server.on('request', serve).on('checkContinue', serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = (server.address() as AddressInfo).port
  return { origin: `http://127.0.0.1:${bound}`, port: bound, close: () => close(server) }
}

async function serveApi(
  req: IncomingMessage,
  res: ServerResponse,
  api: (request: ServiceRequest) => ServiceAnswer,
  { send, refusal }: Handling,
): Promise<void> {
  // The client may close the connection at any time.
  res.on('error', () => {})
  try {
    const body = await bodyOf(req)
    const { method = '', url = '' } = req
    const {
      status,
      headers,
      body: text,
    } = api({
      method,
      url: pathOf(url),
      authorization: req.headers.authorization,
      originError: originErrorOf(url, req.headers),
      refusal,
      body,
    })
    // Node can use the connection again only when the whole body was read.
    const head = req.complete ? headers : { ...headers, connection: 'close' }
    send(res, status, head, method === 'HEAD' ? undefined : text)
  } catch {
    req.destroy()
  }
}

/** The whole body; rejects when the client goes away or takes too long. */
async function bodyOf(req: IncomingMessage): Promise<ServiceRequest['body']> {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined)
    return undefined
  const chunks: Buffer[] = []
  let length = 0
  const timer = setTimeout(() => req.destroy(new Error('the body took too long')), bodyMilliseconds)
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length <= bodyLimit) chunks.push(chunk)
      else if (length > drainLimit) break
    }
  } finally {
    clearTimeout(timer)
  }
  return length > bodyLimit ? 'too large' : Buffer.concat(chunks)
}

/** Path and query, also of a request that was sent as to a proxy. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/')

async function close(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
  await closed
  clearTimeout(timer)
}
