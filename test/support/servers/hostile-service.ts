import type { ServerResponse } from 'node:http'
import { answerModes, bigInteger, bodyModes, controls, type Mode } from './hostile-modes.ts'
import { authentication, routes } from './hostile-routes.ts'
import { type Received, serve } from './server.ts'

/** One answer as it went out: what of it is the resource, and the whole text. */
interface Sent {
  request: Received
  status: number
  /** The parsed body; nothing when it was not JSON. */
  body: unknown
}

export interface HostileService {
  readonly url: string
  readonly received: readonly Received[]
  readonly sent: Sent[]
  /** A second host, which nothing of ours may be sent to but uploads. */
  readonly elsewhere: { readonly url: string; readonly received: readonly Received[] }
  mode: Mode
}

/** Sends the first half of an answer, and ends the connection once that has left. */
const cut = (response: ServerResponse, status: number, text: string): unknown =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': `${text.length}` })
    .write(text.slice(0, text.length / 2), () => response.destroy())

/** Deeper than any function that calls itself for each level can go. */
const bottomless = `{"item":${'['.repeat(40_000)}${']'.repeat(40_000)},"items":[${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}],"context":{}}`

/**
 * A service that speaks the document and shares no code with the program: every one of the 38 endpoints answers, in a
 * way as hostile as its mode says.
 */
export async function startHostileService(): Promise<HostileService> {
  const sent: Sent[] = []
  const elsewhere = await serve((_, response) => void response.writeHead(200).end('{}'))
  const { url, received } = await serve((request, response) => answer(request, response))
  const service = { url, received, sent, elsewhere, mode: 'polite' as Mode }

  function answer(request: Received, response: ServerResponse): unknown {
    const { pathname } = new URL(request.url, url)
    if (request.method === 'PUT' && pathname.startsWith('/put/')) return response.writeHead(200).end()
    const context = { path: pathname, method: request.method, requestId: 'req_1' }
    const route = routes.find(({ method, path }) => method === request.method && path.test(pathname))
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      sent.push({ request, status, body })
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (key === undefined)
      return send(401, { error: 'AUTHENTICATION_ERROR', message: 'Missing credentials', context })
    if (!route) return send(405, { error: 'UNSUPPORTED_METHOD', message: 'Not supported', context })
    const { mode } = service
    const isElsewhere = mode === 'an upload address at another host'
    const parts = route.answer(isElsewhere ? elsewhere.url : url)
    if (!(answerModes as readonly string[]).includes(mode)) {
      const body = bodyModes[mode as keyof typeof bodyModes](parts) as object
      return send(route.status, { ...body, context: { ...context, authentication } })
    }
    const whole = { ...parts, context: { ...context, authentication } }
    const failure = (status: number, error: unknown, message: unknown, more: object = {}) =>
      send(status, { error, message, context, ...more })
    const page = '<!doctype html><html><body><h1>Sign in</h1><script>alert(1)</script></body></html>'
    const html = { 'content-type': 'text/html; charset=utf-8' }
    switch (mode) {
      case 'a web page for an error':
        return send(502, page, html)
      case 'a web page for a success':
        return send(200, page, html)
      case 'a redirect to another host':
        return send(307, '', { location: elsewhere.url + request.url })
      case 'an upload address at another host':
        return send(route.status, whole)
      case 'a success without authentication':
        return send(route.status, { ...parts, context })
      case 'a success without context':
        return send(route.status, parts)
      case 'not authenticated':
        return failure(401, 'AUTHENTICATION_ERROR', 'Missing or invalid credentials')
      case 'not allowed, without a body':
        return send(403, '')
      case 'not found':
        return failure(404, 'EMPTY_RESPONSE', 'Not found')
      case 'a validation error':
        return failure(400, 'ZOD_ERROR', 'Not valid', {
          details: [{ message: 'Expected string', path: ['edition', 'title', 0], code: 'invalid_type' }],
        })
      case 'errors full of controls':
        return failure(400, `ODD${controls}`, `bad${controls}`, {
          context: { ...context, requestId: `req${controls}` },
          details: [
            { message: controls, path: [controls, 1], code: controls },
            null,
            7,
            { message: {}, path: 'x' },
          ],
        })
      case 'errors that are not objects':
        return send(400, [1, 'two'])
      case 'errors that echo the key':
        return send(
          403,
          {
            error: 'ACCOUNT_RESTRICTED',
            message: `the key ${key} of Authorization: Bearer ${key} is restricted`,
            context: { ...context, requestId: `req-${key}` },
            details: [{ message: `keyHash=c0ffee for ${key}`, path: [key] }],
          },
          { 'x-request-id': `header-${key}` },
        )
      case 'too many requests':
        return send(429, { error: 'RATE', message: 'slow down', context }, { 'retry-after': '1' })
      case 'nothing at all':
        return send(200, '')
      case 'half an answer':
        return send(200, JSON.stringify(whole).slice(0, 60))
      case 'a list for an answer':
        return send(200, [whole])
      case 'integers beyond a number':
        return send(route.status, JSON.stringify(whole).replace(/:\d+(?=[,}])/g, `:${bigInteger}`))
      case 'bottomless nesting':
        return send(200, bottomless)
      case 'bytes that are not text':
        sent.push({ request, status: 200, body: undefined })
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x7b]))
      case 'a connection that is cut':
        return response.destroy()
      case 'a success that is cut':
        return cut(response, 200, JSON.stringify(whole))
      case 'an error that is cut':
        return cut(response, 503, '{"error":"UNAVAILABLE"}')
      case 'no content':
        return response.writeHead(204).end()
      default:
        throw new Error(`no answer is written for ${mode}`)
    }
  }
  return service
}
