import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { setMaxListeners } from 'node:events'
import type { LookupFunction, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'
import { NetworkFailure } from '../../system/errors.ts'
import type { Http, Request } from '../../system/http.ts'
import { isLoopbackAddress } from '../../system/loopback.ts'
import type { Response } from '../../system/response.ts'
import type { World } from '../../system/world.ts'
import { watchRequests } from './interim-answers.ts'
import { asNetworkFailure } from './network-errors.ts'
import { authorizationOf, type ProxyServer, proxyFor, proxyName } from './proxy.ts'
import { refusalIn } from './proxy-refusal.ts'
import { Agent, createConnector, request } from './undici.ts'

type Connect = buildConnector.connector

/** The timeout for making a connection, in milliseconds. */
const connectTimeout = 10_000

/**
 * HTTP with undici: keeps connections alive, follows no redirects, and uses the proxies of the environment. What undici's own
 * proxy agents lack is in docs/decisions.md.
 */
export function openHttp(env: World['env']): Http {
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  // Those that are being made, too, for which the process would otherwise wait. A signal for each would cost a request 2 ms.
  const sockets = new Set<Socket>()
  const connect = createConnector({ timeout: connectTimeout, lookup: lookupLocalhost() }, socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const direct = new Agent({ connect })
  const endWatch = watchRequests()
  const tunnels = new Map<string, Agent>()

  const connectThrough =
    (proxy: ProxyServer): Connect =>
    async (options, callback) => {
      try {
        const { openTunnel } = await import('./tunnel.ts')
        const { hostname, port } = options
        const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`
        const httpSocket = await openTunnel(proxy, authority, connect, connectTimeout, stop.signal)
        connect({ ...options, httpSocket }, callback)
      } catch (error) {
        callback(error as Error, null)
      }
    }

  const tunnelsThrough = (proxy: ProxyServer): Agent => {
    const agent = tunnels.get(proxy.origin) ?? new Agent({ connect: connectThrough(proxy) })
    tunnels.set(proxy.origin, agent)
    return agent
  }

  const send = async ({ method, url, headers, body, timeout, signal }: Request): Promise<Response> => {
    const to = new URL(url)
    const proxy = proxyFor(url, env)
    const options = {
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    }
    if (proxy && isHttp(to)) return await askProxy(direct, proxy, to, options)
    const { origin, pathname, search } = to
    const agent = proxy ? tunnelsThrough(proxy) : direct
    const asked = request(agent, { ...options, origin, path: pathname + search })
    return asResponse(await unlessAborted(signal, asked))
  }

  return {
    send: request => (request.onSocket ? withSocket(request, () => send(request)) : send(request)),

    async connect(url, signal) {
      const to = new URL(url)
      const proxy = proxyFor(url, env)
      const isTunnel = proxy !== undefined && !isHttp(to)
      const { protocol, hostname, port, host } = isTunnel || !proxy ? to : new URL(proxy.origin)
      const open = isTunnel ? connectThrough(proxy) : connect
      const socket = new Promise<Socket>((resolve, reject) =>
        open({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, host }, (error, socket) =>
          error ? reject(error) : resolve(socket as Socket),
        ),
      )
      return await (proxy && !isTunnel
        ? withProxyFailures(proxy, signal, socket)
        : unlessAborted(signal, socket))
    },

    async close() {
      stop.abort()
      for (const socket of sockets) end(socket)
      await Promise.all([direct, ...tunnels.values()].map(agent => agent.destroy()))
      endWatch()
    },
  }
}

/** Calls `send`, and `onSocket` with the connection that undici chose. Only its diagnostics channel reports that. */
async function withSocket<T>({ url, onSocket }: Request, send: () => Promise<T>): Promise<T> {
  const { pathname, search } = new URL(url)
  const onSendHeaders = (message: unknown) => {
    const { request, socket } = message as { request: { path: string }; socket: Socket }
    if (request.path.endsWith(pathname + search)) onSocket?.(socket)
  }
  subscribe('undici:client:sendHeaders', onSendHeaders)
  try {
    return await send()
  } finally {
    unsubscribe('undici:client:sendHeaders', onSendHeaders)
  }
}

/** Ends a connection. Who waits for one that is being made is told, which takes an error. */
function end(socket: Socket): void {
  const isBeingMade = socket.connecting || ('secureConnecting' in socket && socket.secureConnecting)
  socket.destroy(isBeingMade ? new Error('the connection is no longer needed') : undefined)
}

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:'

/** Sends a plain http request through a proxy, with the complete URL in the request line. */
async function askProxy(
  agent: Agent,
  proxy: ProxyServer,
  { host, origin, pathname, search }: URL,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & Pick<Request, 'headers' | 'signal'>,
): Promise<Response> {
  const asked = request(agent, {
    ...options,
    origin: proxy.origin,
    path: `${origin}${pathname}${search}`,
    headers: { ...options.headers, host, ...authorizationOf(proxy) },
  })
  const response = asResponse(await withProxyFailures(proxy, options.signal, asked))
  return options.method === 'HEAD' ? response : { ...response, refusal: refusalIn(response, proxy, host) }
}

/** Like `unlessAborted`; failures are reported as the proxy's. */
const withProxyFailures = <T>(proxy: ProxyServer, signal: AbortSignal, work: Promise<T>): Promise<T> =>
  unlessAborted(signal, work).catch(error => {
    throw signal.aborted ? error : asNetworkFailure(error, proxyName(proxy))
  })

/** The result of `work`; throws the signal's reason as soon as it is aborted. undici checks it only after connecting. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const asResponse = ({ statusCode, headers, body }: Dispatcher.ResponseData): Response => ({
  status: statusCode,
  headers,
  text: limit => readText(body, limit),
})

/** The longest answer that is read, in bytes: about a hundred times the largest page or record. */
const longestAnswer = 16 * 1024 * 1024

/** Uses the stream's events, because iterating over it takes several times as long. */
const readText = (body: Readable, limit = longestAnswer): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    body.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length > limit) body.destroy(tooLong(limit))
    })
    body.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    body.on('error', reject)
    if (body.errored) reject(body.errored)
  })

const tooLong = (limit: number) =>
  new NetworkFailure(`the answer is longer than ${Math.floor(limit / 1024)} KiB, the most that is read`, {
    code: 'bad_reply',
    hint: 'Check that the address is that of the service. For a list, --limit asks for less.',
  })

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Loads what looks up names when there is one to look up: an address does without, and its request takes 0.6 ms less. */
const lookUp: Lookup = (...of) => process.getBuiltinModule('node:dns').lookup(...of)

/** Looks up host names for connections; `localhost` is only resolved to loopback addresses. */
export const lookupLocalhost =
  (ask: Lookup = lookUp): LookupFunction =>
  (hostname, options, callback) =>
    ask(hostname, { ...options, all: true }, (error, found) => {
      const taken =
        error || hostname !== 'localhost' ? found : found.filter(({ address }) => isLoopbackAddress(address))
      const [first] = taken ?? []
      if (error || first === undefined) callback(error ?? notThisMachine(), '', 0)
      else if (options.all) callback(null, taken)
      else callback(null, first.address, first.family)
    })

const notThisMachine = (): NodeJS.ErrnoException =>
  Object.assign(new Error('localhost is not an address of this machine'), { code: 'ELOCALHOST' })
