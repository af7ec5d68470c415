import type { LookupAddress, LookupOptions } from 'node:dns'
import { setMaxListeners } from 'node:events'
import type { LookupFunction, Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import type { Http, Request } from '../../system/http.ts'
import { isLoopbackAddress } from '../../system/loopback.ts'
import type { Response } from '../../system/response.ts'
import type { World } from '../../system/world.ts'
import { watchRequests, watchSocket } from './begun-requests.ts'
import { dispatch } from './dispatch.ts'
import { asNetworkFailure } from './network-errors.ts'
import { authorizationOf, type ProxyServer, proxyFor, proxyName } from './proxy.ts'
import { refusalIn } from './proxy-refusal.ts'
import { Agent, createConnector } from './undici.ts'

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

  const send = async ({
    method,
    url,
    headers,
    body,
    timeout,
    signal,
    limit,
    onSocket,
  }: Request): Promise<Response> => {
    const to = new URL(url)
    const proxy = proxyFor(to, env)
    const isAsked = proxy !== undefined && isHttp(to)
    const options = {
      method: method as Dispatcher.HttpMethod,
      origin: isAsked ? proxy.origin : to.origin,
      // A proxy for plain http gets the complete URL in the request line.
      path: `${isAsked ? to.origin : ''}${to.pathname}${to.search}`,
      headers: isAsked ? { ...headers, host: to.host, ...authorizationOf(proxy) } : headers,
      // undici takes any iterable, which its types do not say.
      body: (body ?? null) as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    }
    const agent = proxy && !isAsked ? tunnelsThrough(proxy) : direct
    const endWatchOfSocket = onSocket && watchSocket(options.path, onSocket)
    try {
      const answer = dispatch(agent, options, signal, limit)
      if (!isAsked) return await answer
      const response = await withProxyFailures(proxy, signal, answer)
      return method === 'HEAD' ? response : { ...response, refusal: refusalIn(response, proxy, to.host) }
    } finally {
      endWatchOfSocket?.()
    }
  }

  return {
    send,

    async connect(url, signal) {
      const to = new URL(url)
      const proxy = proxyFor(to, env)
      const isTunnel = proxy !== undefined && !isHttp(to)
      const { protocol, hostname, port, host } = isTunnel || !proxy ? to : new URL(proxy.origin)
      const open = isTunnel ? connectThrough(proxy) : connect
      const socket = new Promise<Socket>((resolve, reject) =>
        open({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, host }, (error, socket) =>
          error ? reject(error) : resolve(socket as Socket),
        ),
      )
      const made = unlessAborted(signal, socket)
      return await (proxy && !isTunnel ? withProxyFailures(proxy, signal, made) : made)
    },

    async close() {
      stop.abort()
      for (const socket of sockets) end(socket)
      await Promise.all([direct, ...tunnels.values()].map(agent => agent.destroy()))
      endWatch()
    },
  }
}

/** Ends a connection. Who waits for one that is being made is told, which takes an error. */
function end(socket: Socket): void {
  const isBeingMade = socket.connecting || ('secureConnecting' in socket && socket.secureConnecting)
  socket.destroy(isBeingMade ? new Error('the connection is no longer needed') : undefined)
}

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:'

/** The same, with failures that are reported as the proxy's. */
const withProxyFailures = <T>(proxy: ProxyServer, signal: AbortSignal, work: Promise<T>): Promise<T> =>
  work.catch(error => {
    throw signal.aborted ? error : asNetworkFailure(error, proxyName(proxy))
  })

/** The result of `work`; throws the signal's reason as soon as it is aborted. */
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
