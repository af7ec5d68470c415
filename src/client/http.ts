import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { World } from '../world.ts'
import { type ProxyServer, proxyFor } from './proxy.ts'

export interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Readable
  /** Milliseconds without any answer before the request is given up. */
  timeout: number
  signal: AbortSignal
}

export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The whole body; throws when it is longer than `limit` bytes or was cut short. */
  text(limit?: number): Promise<string>
}

export interface Http {
  send(request: Request): Promise<Response>
  /** Connects to an address as `send` would, through the same proxy and with the same trust, and sends nothing. */
  connect(url: string): Promise<Socket>
  close(): Promise<void>
}

/** Milliseconds that a connection may take to come about. */
const patience = 10_000

/**
 * HTTP over undici: kept-alive connections, no redirects followed, proxies as the environment names them. undici's own
 * proxy agents are not used: they tunnel plain http too, which many proxies refuse, and lose what the proxy answered.
 */
export function openHttp(env: World['env']): Http {
  const stop = new AbortController()
  const connector = buildConnector({ timeout: patience })
  const direct = new Agent({ connect: connector })
  const tunnels = new Map<string, Agent>()

  const tunnelConnector =
    (proxy: ProxyServer): buildConnector.connector =>
    async (options, callback) => {
      try {
        const { openTunnel } = await import('./tunnel.ts')
        const { hostname, port } = options
        const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`
        const httpSocket = await openTunnel(proxy, authority, patience, stop.signal)
        connector({ ...options, httpSocket }, callback)
      } catch (error) {
        callback(error as Error, null)
      }
    }
  const tunnelTo = (proxy: ProxyServer): Agent => {
    const agent = tunnels.get(proxy.origin) ?? new Agent({ connect: tunnelConnector(proxy) })
    tunnels.set(proxy.origin, agent)
    return agent
  }

  return {
    async send({ method, url, headers, body, timeout, signal }) {
      const proxy = proxyFor(url, env)
      const rest = {
        method: method as Dispatcher.HttpMethod,
        body: body ?? null,
        signal,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      }
      if (proxy && url.startsWith('http:')) return await throughProxy(proxy, url, { ...rest, headers })
      const dispatcher = proxy ? tunnelTo(proxy) : direct
      return asResponse(await request(url, { ...rest, headers, dispatcher }))
    },

    async connect(url) {
      const proxy = proxyFor(url, env)
      const { protocol, hostname, port, host } = new URL(
        proxy && url.startsWith('http:') ? proxy.origin : url,
      )
      const through = proxy && protocol === 'https:' && url.startsWith('https:')
      return await new Promise((resolve, reject) => {
        ;(through ? tunnelConnector(proxy) : connector)(
          { protocol, hostname, port, host },
          (error, socket) => (error ? reject(error) : resolve(socket as Socket)),
        )
      })
    },

    async close() {
      stop.abort()
      await Promise.all([direct, ...tunnels.values()].map(agent => agent.destroy()))
    },
  }

  /** A plain http request asks the proxy itself for the whole address. */
  async function throughProxy(
    proxy: ProxyServer,
    url: string,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & { headers: Record<string, string> },
  ): Promise<Response> {
    const { authorizationOf, refusedByProxy } = await import('./tunnel.ts')
    const { host, href, hash } = new URL(url)
    const answer = await direct.request({
      ...options,
      origin: proxy.origin,
      path: href.slice(0, href.length - hash.length),
      headers: { ...options.headers, host, ...authorizationOf(proxy) },
    })
    if (answer.statusCode !== 407) return asResponse(answer)
    await answer.body.dump()
    throw refusedByProxy(proxy, host, 407)
  }
}

const asResponse = ({ statusCode, headers, body }: Dispatcher.ResponseData): Response => ({
  status: statusCode,
  headers,
  text: limit => readText(body, limit),
})

async function readText(body: Readable, limit = 256 * 1024 * 1024): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw new Error(`the reply is longer than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
