import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import type { World } from '../world.ts'

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
  close(): Promise<void>
}

/** HTTP over undici: kept-alive connections, no redirects followed, proxies as the environment names them. */
export function openHttp(env: World['env']): Http {
  const dispatcher = dispatcherFor(env)
  return {
    async send({ method, url, headers, body, timeout, signal }) {
      const answer = await request(url, {
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
        dispatcher,
        signal,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: limit => readText(answer.body, limit),
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function dispatcherFor(env: World['env']): Dispatcher {
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY']
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY']
  if (!httpProxy && !httpsProxy) return new Agent()
  return new EnvHttpProxyAgent({
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? httpProxy ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  })
}

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
