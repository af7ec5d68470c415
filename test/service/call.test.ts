import { createHash, randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine, type Result, temporaryFolder } from '../support/machine/pubctl.ts'
import { json, type Received, serve } from '../support/servers/server.ts'

const context = {
  path: '/v1/domains',
  method: 'GET',
  requestId: 'req-1',
  authentication: { sub: 's', scopeId: 'x' },
}

/** Runs a command against a server, with a key of its own. */
const against = async (url: string, args: string[]): Promise<Result> =>
  await machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }).run(args)

describe('the client', () => {
  it('sends the key as a bearer token and says who it is', async () => {
    const { url, received } = await serve((_, response) => json(response, 200, { items: [], context }))
    expect(await against(url, ['domains', 'list', '--json'])).toEqual({ code: 0, out: '[]\n', err: '' })
    expect(received[0]?.headers.authorization).toBe('Bearer canary-key-0123456789')
    expect(received[0]?.headers['user-agent']).toMatch(/^pubctl\/\d/)
  })

  it('prints what it received, unknown fields and types untouched', async () => {
    const item = { id: 7, domain: null, isInUse: 'maybe', extra: { deep: ['😀', 1.5] }, __proto__x: 1 }
    const { url } = await serve((_, response) => json(response, 200, { item, context, novelty: true }))
    const { out, code } = await against(url, ['domains', 'get', 'd1', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(item)
  })

  it.each([
    ['an error envelope', 400, 'INVALID_REQUEST', 6],
    ['a validation error', 400, 'ZOD_ERROR', 2],
    ['a refused key', 401, 'AUTHENTICATION_ERROR', 3],
    ['a forbidden request', 403, 'ACCOUNT_RESTRICTED', 4],
    ['a missing resource', 404, 'EMPTY_RESPONSE', 5],
    ['a wrong method', 405, 'UNSUPPORTED_METHOD', 6],
    ['a fault of the service', 500, 'DB_ERROR', 8],
  ])('turns %s into its exit code, with the code and the request id', async (_, status, error, exitCode) => {
    const details = [{ message: 'expected string', path: ['edition', 'author', 0], code: 'invalid_type' }]
    const { url } = await serve((_, response) =>
      json(response, status, { error, message: 'No.', context, details }),
    )
    const { code, out, err } = await against(url, ['domains', 'list', '--json'])
    expect({ code, out }).toEqual({ code: exitCode, out: '' })
    expect(JSON.parse(err).error).toMatchObject({
      code: error,
      status,
      message: 'No.',
      requestId: 'req-1',
      details,
      exitCode,
    })
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it.each<[string, (response: Parameters<typeof json>[0]) => void, RegExp]>([
    [
      'a web page',
      r => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
      /a web page/,
    ],
    ['nothing', r => r.writeHead(200).end(), /with nothing/],
    [
      'truncated JSON',
      r => r.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"id"'),
      /truncated JSON/,
    ],
    ['a list', r => json(r, 200, []), /instead of a JSON object/],
    [
      'a web page as an error',
      r => r.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad'),
      /answered 502/,
    ],
  ])('says so when the answer is %s', async (_, answer, words) => {
    const { url } = await serve((_, response) => answer(response))
    const { code, out, err } = await against(url, ['domains', 'create', 'a.example'])
    expect({ code, out }).toEqual({ code: 8, out: '' })
    expect(err).toMatch(words)
    expect(err).not.toMatch(/ at .*\.js:\d|SyntaxError/)
  })

  it('says so when the connection is cut in the middle of the answer', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"items":[')
      setTimeout(() => response.destroy(), 20)
    })
    const { code, err } = await against(url, ['domains', 'create', 'a.example'])
    expect(code).toBe(8)
    expect(err).toMatch(/cannot talk to the service.*cut/)
  })

  it.each([
    ['a GET', 503, ['domains', 'list'], 4, 8],
    ['a GET of any path', 503, ['api', 'GET', '/v1/domains'], 4, 8],
    ['a POST that was not taken up', 408, ['domains', 'create', 'a.example'], 4, 6],
    ['a request too many', 429, ['domains', 'list', '--timeout', '5s'], 1, 8],
  ] as const)(
    'says so when an error is cut each time, for %s',
    async (_, status, args, requests, exitCode) => {
      const { url, received } = await serve((_, response) => {
        response.writeHead(status, { 'content-length': '1000', 'retry-after': '9' }).write('{"error":')
        setTimeout(() => response.destroy(), 20)
      })
      const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
      const { code, err } = await run(args, { clock: sleeplessClock() })
      expect({ code, requests: received.length }).toEqual({ code: exitCode, requests })
      expect(err).toMatch(`answered ${status}`)
    },
  )

  it('never follows a redirect, so the key stays with the service', async () => {
    const elsewhere = await serve((_, response) => json(response, 200, { items: [], context }))
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/v1/domains` }).end(),
    )
    const { code, err } = await against(url, ['domains', 'list'])
    expect(code).toBe(8)
    expect(err).toMatch(/redirect to http:\/\/127\.0\.0\.1/)
    expect(elsewhere.received).toEqual([])
  })

  it('repeats a GET that met a passing fault, and waits as long as it is told', async () => {
    let calls = 0
    const { url } = await serve((_, response) =>
      ++calls < 3
        ? json(response, 503, {}, { 'retry-after': '0' })
        : json(response, 200, { items: [], context }),
    )
    expect((await against(url, ['domains', 'list'])).code).toBe(0)
    expect(calls).toBe(3)
  })

  it.each([
    ['9', [], 2],
    ['9', ['--timeout', '5s'], 1],
    ['9', ['--timeout', '9200ms'], 1],
    ['9', ['--timeout', '12s'], 2],
    ['130', [], 1],
  ])('repeats it after %s s, with %j, as far as there is time', async (after, options, requests) => {
    const { url, received } = await serve((_, response) =>
      received.length < 2
        ? json(response, 503, {}, { 'retry-after': after })
        : json(response, 200, { items: [], context }),
    )
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code } = await run(['domains', 'list', ...options], { clock: sleeplessClock() })
    expect({ code, requests: received.length }).toEqual({ code: requests > 1 ? 0 : 8, requests })
  })

  it('does not repeat what may have been carried out', async () => {
    const { url, received } = await serve((_, response) => json(response, 503, {}))
    expect((await against(url, ['domains', 'create', 'a.example'])).code).toBe(8)
    expect(received).toHaveLength(1)
  })

  it('repeats names for many values, and passes tokens back unchanged', async () => {
    const token = 'a b/+=&ü"'
    const { url, received } = await serve(({ url }, response) =>
      json(response, 200, {
        items: [{ publicationId: url }],
        nextToken: url.includes('nextToken') ? null : token,
        context,
      }),
    )
    await against(url, [
      'publications',
      'list',
      '--status',
      'draft,live',
      '--format',
      'pdf',
      '--all',
      '--json',
    ])
    const [first, second] = received.map(({ url }) => new URL(url, 'http://x').searchParams)
    expect(first?.getAll('statuses')).toEqual(['draft', 'live'])
    expect(first?.getAll('formats')).toEqual(['pdf'])
    expect(first?.get('limit')).toBe('50')
    expect(second?.get('nextToken')).toBe(token)
  })

  it('asks for the next page before it prints one, so that the service works meanwhile', async () => {
    const { url } = await serve(({ url }, response) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('nextToken') ?? 1)
      const nextToken = page < 3 ? String(page + 1) : null
      json(response, 200, { items: [{ publicationId: `pub_${page}` }], nextToken, context })
    })
    const order: string[] = []
    const asked = () => void order.push('asked')
    subscribe('undici:client:sendHeaders', asked)
    onTestFinished(() => void unsubscribe('undici:client:sendHeaders', asked))
    const env = { PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }
    const { out } = await machine(env).run(['publications', 'list', '--all', '-o', 'ndjson'], {
      onOut: () => order.push('printed'),
    })
    expect(out.match(/pub_\d/g)).toEqual(['pub_1', 'pub_2', 'pub_3'])
    expect(order).toEqual(['asked', 'asked', 'printed', 'asked', 'printed', 'printed'])
  })

  it('ends a listing whose token comes again and again', async () => {
    const { url } = await serve((_, response) =>
      json(response, 200, { items: [{ id: 'x' }], nextToken: 'same', context }),
    )
    const { code, err } = await against(url, ['publications', 'list', '--all', '--json'])
    expect(code).toBe(8)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'bad_reply',
      message: 'the service gave the same continuation token twice, so the listing would never end',
      hint: 'Report it to the service; --limit gives the items up to there.',
    })
  })

  it('encodes ids, so that none leads to another path', async () => {
    const { url, received } = await serve((_, response) => json(response, 200, { item: null, context }))
    await against(url, ['domains', 'get', '../users?x=1#y/ü'])
    expect(received[0]?.url).toBe('/v1/domains/..%2Fusers%3Fx%3D1%23y%2F%C3%BC')
    for (const [args, words] of [
      [['domains', 'get', '..'], '".." cannot be an id'],
      [['domains', 'get', '.'], '"." cannot be an id'],
      [['domains', 'get', ''], '"" cannot be an id'],
      [['editions', 'get', 'p1', '..'], '".." cannot be an edition id'],
    ] as const) {
      const { code, err } = await against(url, [...args])
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`error: ${words}\n`) })
    }
    expect(received).toHaveLength(1)
  })

  it('hints at an id where a command is told that there is none, and at the path where that was given', async () => {
    const { sandbox } = machine()
    const hintOf = async (...args: string[]) =>
      JSON.parse((await sandbox([...args, '--json'])).err).error.hint
    expect(await hintOf('domains', 'get', 'dom_none')).toMatch(/^Check the id;/)
    const { url } = await serve((_, response) => json(response, 200, { item: null, context }))
    const missing = await against(url, ['domains', 'get', 'd1', '--json'])
    expect({ code: missing.code, error: JSON.parse(missing.err).error }).toMatchObject({
      code: 5,
      error: {
        ...{ code: 'not_found', message: `the service at ${url} has nothing of this id`, status: 404 },
        hint: 'Check the id; the matching "list" command shows those that exist.',
      },
    })
    expect(await hintOf('api', 'GET', '/v1/no/such/path')).toMatch(/^Check the path and the ids in it;/)
  })

  it('says in words that nothing listens', async () => {
    const { code, err } = await against('http://127.0.0.1:9', ['domains', 'create', 'x.example'])
    expect(code).toBe(8)
    expect(err).toMatch(/connection refused/)
  })
})

describe('sending a file', () => {
  const session = (uploadUrl: string, requiredHeaders: Record<string, string>) =>
    JSON.stringify({ uploadUrl, requiredHeaders })
  const headersOf = ({ rawHeaders }: Received) =>
    Object.fromEntries(
      rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : [])),
    )

  it('copies every required header as it is, states the length, and keeps the key to itself', async () => {
    const { url, received } = await serve((_, response) => response.writeHead(200).end())
    const required = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Amz-Meta-Scope': 'a; b="c"' }
    const { code } = await machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }).run(
      ['uploads', 'put', import.meta.filename, '--session', '-'],
      { stdin: session(`${url}/put?sig=1`, required) },
    )
    expect(code).toBe(0)
    const [request] = received as [Received]
    expect(headersOf(request)).toMatchObject({ ...required, 'content-length': String(request.body.length) })
    expect(request.headers['transfer-encoding']).toBeUndefined()
    expect(request.headers.authorization).toBeUndefined()
  })

  it('sends a large file byte for byte, also to a server that takes its time', async () => {
    const path = join(temporaryFolder(), 'large.bin')
    writeFileSync(path, randomBytes(9_000_001))
    const server = createServer((request, response) => {
      const hash = createHash('sha256')
      request.on('data', chunk => {
        hash.update(chunk)
        request.pause()
        setTimeout(() => request.resume(), 1)
      })
      request.on('end', () => response.writeHead(200).end(() => seen.push(hash.digest('hex'))))
    })
    const seen: string[] = []
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code } = await machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }).run(
      ['uploads', 'put', path, '--session', '-'],
      { stdin: session(`${url}/put`, {}) },
    )
    expect(code).toBe(0)
    expect(seen).toEqual([createHash('sha256').update(readFileSync(path)).digest('hex')])
  })

  it("shows the store's own code when it refuses", async () => {
    const { url } = await serve((_, response) =>
      response
        .writeHead(403)
        .end(
          '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
        ),
    )
    const { code, err } = await machine({ PUBCTL_API_KEY: 'k-0123456789', PUBCTL_BASE_URL: url }).run(
      ['uploads', 'put', import.meta.filename, '--session', '-', '--json'],
      { stdin: session(`${url}/put?X-Amz-Signature=secret`, {}) },
    )
    expect(code).toBe(4)
    expect(JSON.parse(err).error).toMatchObject({ code: 'AccessDenied', status: 403 })
    expect(err).not.toContain('secret')
  })
})
