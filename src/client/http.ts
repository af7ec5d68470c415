import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'
import { NetworkFailure } from '../errors.ts'
import type { World } from '../world.ts'
import { lookupLocalhost } from './localhost.ts'
import { authorizationOf, nameOf, type ProxyServer, proxyFor } from './proxy.ts'
import { refusalIn } from './proxy-refusal.ts'
import type { Response } from './response.ts'
import { asNetworkFailure } from './trouble.ts'
import { Agent, createConnector, request } from './undici.ts'

export interface Request {
  method: string
  url: string
  /** Whether the query of the address is a credential, as that of an upload session is. */
  isPresigned: boolean
  headers: Record<string, string>
  body?: string | Readable
  /** Milliseconds without any answer before the request is given up; 0 where whoever asks sees to that. */
  timeout: number
  signal: AbortSignal
  /** Told which connection carries the request, each time it is sent. */
  onSocket?: (socket: Socket) => void
}

export interface Http {
  send(request: Request): Promise<Response>
  /** Connects to an address as `send` would, through the same proxy and with the same trust, and sends nothing. */
  connect(url: string, signal: AbortSignal): Promise<Socket>
  close(): Promise<void>
}

type Connect = buildConnector.connector

/** The timeout for making a connection, in milliseconds. */
const connectTimeout = 10_000

/**
 * HTTP over undici: kept-alive connections, no redirects followed, proxies as the environment names them. undici's own
 * proxy agents are not used: they tunnel plain http too, which many proxies refuse, and lose what the proxy answered.
 */
export function openHttp(env: World['env']): Http {
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  // What is still connecting ends with everything else, or the process would have to wait for it.
  const connect = createConnector({ timeout: connectTimeout, signal: stop.signal, lookup: lookupLocalhost() })
  const direct = new Agent({ connect })
  const tunnels = new Map<string, Agent>()

  const connectThrough =
    (proxy: ProxyServer): Connect =>
    async (options, callback) => {
      try {
        const { openTunnel } = await import('./tunnel.ts')
        const { hostname, port } = options
        const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`
        const httpSocket = await openTunnel(proxy, authority, connectTimeout, stop.signal)
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
    const proxy = proxyFor(url, env)
    const options = {
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    }
    if (proxy && isPlain(url)) return await askProxy(direct, proxy, url, options)
    const { origin, pathname, search } = new URL(url)
    const agent = proxy ? tunnelsThrough(proxy) : direct
    const asked = request(agent, { ...options, origin, path: pathname + search })
    return asResponse(await unlessAborted(signal, asked))
  }

  return {
    send: request => (request.onSocket ? tellingSocket(request, () => send(request)) : send(request)),

    async connect(url, signal) {
      const proxy = proxyFor(url, env)
      const isTunnel = proxy !== undefined && !isPlain(url)
      const { protocol, hostname, port, host } = new URL(isTunnel ? url : (proxy?.origin ?? url))
      const open = isTunnel ? connectThrough(proxy) : connect
      const socket = new Promise<Socket>((resolve, reject) =>
        open({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, host }, (error, socket) =>
          error ? reject(error) : resolve(socket as Socket),
        ),
      )
      return await (proxy && !isTunnel ? blaming(proxy, signal, socket) : unlessAborted(signal, socket))
    },

    async close() {
      stop.abort()
      await Promise.all([direct, ...tunnels.values()].map(agent => agent.destroy()))
    },
  }
}

/** Has `send` carried out, and tells which connection undici chose for it, which it makes known in no other way. */
async function tellingSocket<T>({ url, onSocket }: Request, send: () => Promise<T>): Promise<T> {
  const { pathname, search } = new URL(url)
  const told = (message: unknown) => {
    const { request, socket } = message as { request: { path: string }; socket: Socket }
    if (request.path.endsWith(pathname + search)) onSocket?.(socket)
  }
  subscribe('undici:client:sendHeaders', told)
  try {
    return await send()
  } finally {
    unsubscribe('undici:client:sendHeaders', told)
  }
}

const isPlain = (url: string): boolean => new URL(url).protocol === 'http:'

/** A plain http request through a proxy asks the proxy itself, for the whole address. */
async function askProxy(
  agent: Agent,
  proxy: ProxyServer,
  url: string,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & Pick<Request, 'headers' | 'signal'>,
): Promise<Response> {
  const { host, origin, pathname, search } = new URL(url)
  const asked = request(agent, {
    ...options,
    origin: proxy.origin,
    path: `${origin}${pathname}${search}`,
    headers: { ...options.headers, host, ...authorizationOf(proxy) },
  })
  const response = asResponse(await blaming(proxy, options.signal, asked))
  return options.method === 'HEAD' ? response : { ...response, refusal: refusalIn(response, proxy, host) }
}

/** The same as `unlessAborted`, for work that the proxy alone can spoil. */
const blaming = <T>(proxy: ProxyServer, signal: AbortSignal, work: Promise<T>): Promise<T> =>
  unlessAborted(signal, work).catch(error => {
    throw signal.aborted ? error : asNetworkFailure(error, nameOf(proxy))
  })

/** What `work` gives, or the signal's reason as soon as it is aborted: undici minds a signal only once it is connected. */
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

/** The longest answer that is read, in bytes: some hundred times what the fullest page or the largest record takes. */
const longestAnswer = 16 * 1024 * 1024

/** By its events, since going through a stream piece by piece takes several times as long. */
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
  new NetworkFailure(
    `the answer is longer than ${Math.floor(limit / 1024)} KiB, which is more than is read of one`,
    {
      code: 'bad_reply',
      hint: 'Check that the address is that of the service; --limit asks for less where a list has it.',
    },
  )
