import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { listening } from '../servers/server.ts'

interface Rules {
  /** What `Proxy-Authorization` must be. */
  authorization?: string
  /** Refuses every CONNECT with this status, or the first few. */
  refuseWith?: number
  refusals?: number
  /** The `Retry-After` of those refusals, in seconds. */
  retryAfter?: number
  /** Answers every plain http request like this, in the place of whom it was to ask. */
  answerWith?: { status: number; headers?: Record<string, string>; body?: string }
  /** The port on this machine that every host stands for, so that a test can use names that nobody can look up. */
  leadsTo?: number
}

export interface Proxied {
  /** `CONNECT host:port`, or a method and a whole address. */
  line: string
  authorization: string | undefined
}

/** A real proxy on loopback, for CONNECT and for plain http, that remembers what it was asked. */
export async function startProxy(
  rules: Rules = {},
): Promise<{ url: string; port: number; asked: Proxied[] }> {
  const asked: Proxied[] = []
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    const authorization = headers['proxy-authorization']
    asked.push({ line: `${method} ${url}`, authorization })
    if (authorization !== rules.authorization) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end('no')
      return
    }
    if (rules.answerWith) {
      const { status, headers, body } = rules.answerWith
      incoming.resume()
      return void answer.writeHead(status, headers).end(body)
    }
    const { hostname, port, pathname, search } = new URL(url)
    delete headers['proxy-authorization']
    const target =
      rules.leadsTo === undefined ? { host: hostname, port } : { host: '127.0.0.1', port: rules.leadsTo }
    const onward = request({ ...target, method, path: pathname + search, headers }, reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connect', ({ url = '', headers }, socket) => {
    const authorization = headers['proxy-authorization']
    asked.push({ line: `CONNECT ${url}`, authorization })
    const isRefused = asked.length <= (rules.refusals ?? Number.POSITIVE_INFINITY)
    const refusal = authorization !== rules.authorization ? 407 : isRefused ? rules.refuseWith : undefined
    if (refusal !== undefined)
      return socket.end(
        `HTTP/1.1 ${refusal} No\r\nretry-after: ${rules.retryAfter ?? 0}\r\ncontent-length: 0\r\n\r\n`,
      )
    const port = rules.leadsTo ?? Number(url.slice(url.lastIndexOf(':') + 1))
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
    onward.on('close', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.on('close', () => onward.destroy())
    return undefined
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, port, asked }
}
