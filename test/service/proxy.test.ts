import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { exemption, proxyFor } from '../../src/service/client/proxy.ts'
import { realWorld } from '../../src/system/world.ts'
import { runBin } from '../support/machine/bin.ts'
import { findNoSecret } from '../support/machine/canary.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'
import { startProxy } from '../support/proxies/proxy.ts'
import { json, serve } from '../support/servers/server.ts'

const context = { path: '/v1/domains', method: 'GET', requestId: 'req-1' }
const key = 'canary-key-0123456789'
const secret = 'p%40ss:word'
const login = `Basic ${Buffer.from('user:p@ss:word').toString('base64')}`

const clock = { ...realWorld(() => new AbortController().signal).clock, sleep: async () => undefined }

/** A server, known to the proxy alone by a name, and a command line against it, from an environment of its own. */
async function service() {
  const { url, received } = await serve((_, response) => json(response, 200, { items: [], context }))
  const named = `http://api.example:${new URL(url).port}`
  const list = async (env: Record<string, string>) => {
    const { run } = machine(env)
    const setup = ['--base-url', named, '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    return await run(['domains', 'list', '--json', '--profile', 'lan'])
  }
  const onLoopback = (env: Record<string, string>) =>
    machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url, ...env }).run(['domains', 'list', '--json'])
  return { url: named, port: Number(new URL(url).port), received, list, onLoopback }
}

describe('the proxy of the environment', () => {
  it.each([
    ['HTTP_PROXY', 'http://api.example/'],
    ['http_proxy', 'http://api.example/'],
    ['HTTPS_PROXY', 'https://api.example/'],
    ['https_proxy', 'https://api.example/'],
    ['ALL_PROXY', 'https://api.example/'],
    ['all_proxy', 'http://api.example/'],
  ])('is named by %s for %s', (name, address) => {
    expect(proxyFor(address, { [name]: 'http://proxy.example:3128' })).toEqual({
      origin: 'http://proxy.example:3128',
      source: name,
    })
  })

  it('is chosen by the scheme of the address, lower case first, and empty is none', () => {
    const env = { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1', ALL_PROXY: 'http://all:1' }
    expect(proxyFor('https://a.example', env)?.source).toBe('https_proxy')
    expect(proxyFor('https://a.example', { ...env, https_proxy: '' })?.source).toBe('HTTPS_PROXY')
    expect(proxyFor('http://a.example', env)?.source).toBe('ALL_PROXY')
    expect(proxyFor('https://a.example', { HTTP_PROXY: 'http://p:1' })).toBeUndefined()
    expect(proxyFor('https://a.example', { HTTPS_PROXY: '' })).toBeUndefined()
  })

  it.each([
    ['user', 'user:'],
    [':word', ':word'],
    ['user:w%3Ard', 'user:w:rd'],
  ])('that is named with %s@ gets the login %s', (given, login) => {
    expect(proxyFor('https://a.example', { https_proxy: `http://${given}@proxy:3128` })).toMatchObject({
      authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    })
  })

  it('may be written without a scheme, and may be https', () => {
    expect(proxyFor('https://a.example', { https_proxy: 'proxy:3128' })?.origin).toBe('http://proxy:3128')
    expect(proxyFor('https://a.example', { https_proxy: '10.0.0.1:80' })?.origin).toBe('http://10.0.0.1')
    expect(proxyFor('https://a.example', { https_proxy: 'https://p.example' })?.origin).toBe(
      'https://p.example',
    )
  })

  it.each<[string, string, boolean]>([
    ['*', 'https://api.example', true],
    ['api.example', 'https://api.example', true],
    ['API.Example', 'https://api.example', true],
    ['example', 'https://api.example', true],
    ['.example', 'https://api.example', true],
    ['*.example', 'https://api.example', true],
    ['ample', 'https://api.example', false],
    ['api.example.', 'https://api.example', true],
    ['api.example', 'https://api.example.', true],
    ['other.example, api.example', 'https://api.example', true],
    ['other.example api.example', 'https://api.example', true],
    ['api.example:443', 'https://api.example', true],
    ['api.example:8443', 'https://api.example', false],
    ['api.example:8443', 'https://api.example:8443', true],
    ['bücher.example', 'https://bücher.example', true],
    ['192.168.1.7', 'https://192.168.1.7', true],
    ['192.168.1.7', 'https://192.168.1.70', false],
    ['192.168.0.0/16', 'https://192.168.1.7', true],
    ['192.168.0.0/16', 'https://192.169.1.7', false],
    ['192.168.0.0/33', 'https://192.168.0.0', false],
    ['10.0.0.0/8', 'https://10.example', false],
    ['10.0.0.0/8', 'http://[fd12::1]', false],
    ['10.0.0.0/x', 'https://10.0.0.1', false],
    ['10.0.0.0/', 'https://10.0.0.1', false],
    ['fd00::/8', 'https://10.0.0.1', false],
    ['fd00::/128', 'http://[fd00::]', true],
    ['fd00::/129', 'http://[fd00::]', false],
    ['api.example', 'https://10.0.0.1', false],
    ['fd12::1', 'http://[fd12::1]:8080', true],
    ['[fd12::1]', 'http://[fd12::1]:8080', true],
    ['[fd12::1]:9090', 'http://[fd12::1]:8080', false],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['fd00::/8', 'http://[fe80::1]', false],
    ['', 'https://api.example', false],
    [',', 'https://api.example', false],
  ])('NO_PROXY=%j covers %s: %s', (entries, address, isCovered) => {
    const env = { ALL_PROXY: 'http://proxy.example:3128', NO_PROXY: entries }
    expect(exemption(address, env) !== undefined).toBe(isCovered)
    expect(proxyFor(address, env) === undefined).toBe(isCovered)
  })
})

describe('a plain http address', () => {
  it('is asked of the proxy as a whole address, with the credentials for the proxy alone', async () => {
    const { url, port, received, list } = await service()
    const proxy = await startProxy({ authorization: login, leadsTo: port })
    const { code, err } = await list({ HTTP_PROXY: `http://user:${secret}@127.0.0.1:${proxy.port}` })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(proxy.asked).toEqual([{ line: `GET ${url}/v1/domains`, authorization: login }])
    expect(received[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, host: new URL(url).host })
  })

  it('is reached without the proxy when NO_PROXY says so', async () => {
    const { list } = await service()
    const { code, err } = await list({ HTTP_PROXY: 'http://127.0.0.1:9', no_proxy: 'api.example' })
    expect(code).toBe(8)
    expect(err).toMatch(/cannot talk to the service at http:\/\/api\.example:\d+:.* name/)
  })

  it('is reached without the proxy on this machine, where the key may go unencrypted', async () => {
    const { received, onLoopback } = await service()
    const proxy = await startProxy()
    const { code } = await onLoopback({ HTTP_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url })
    expect({ code, count: received.length, asked: proxy.asked }).toEqual({ code: 0, count: 1, asked: [] })
  })

  it('is not this machine for being named below localhost, which a proxy may look up', async () => {
    const proxy = await startProxy()
    const env = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'http://books.localhost:8787', HTTP_PROXY: proxy.url }
    const { code, err } = await machine(env).run(['domains', 'list', '--json'])
    expect({ code, asked: proxy.asked }).toEqual({ code: 2, asked: [] })
    expect(JSON.parse(err).error.code).toBe('insecure_address')
  })

  it.runIf(isSlow)('names the proxy that is not there, and none of its credentials', async () => {
    const { list } = await service()
    const { code, err } = await list({ HTTP_PROXY: `http://user:${secret}@127.0.0.1:9` })
    expect(code).toBe(8)
    expect(err).toMatch(/the proxy at http:\/\/127\.0\.0\.1:9 .*nothing listens/)
    expect(err).not.toMatch(/p%40ss|p@ss/)
  })
})

describe('the proxy that refuses', () => {
  it.each([
    ['no', '', 'requires a user name and a password'],
    ['the wrong', 'user:wrong@', 'refused the user name and password'],
  ])('a plain request with %s login is named, once', async (_, given, words) => {
    const { list, received } = await service()
    const proxy = await startProxy({ authorization: login })
    const { code, err } = await list({ HTTP_PROXY: `http://${given}127.0.0.1:${proxy.port}` })
    expect({ code, asked: proxy.asked.length, received }).toEqual({ code: 8, asked: 1, received: [] })
    expect(JSON.parse(err).error).toMatchObject({ code: 'proxy_refused', status: 407 })
    expect(err).toContain(`the proxy at ${proxy.url} (from HTTP_PROXY) ${words}`)
  })

  it.each([
    [407, 'proxy_refused', 1, /requires a user name and a password/],
    [401, 'proxy_refused', 1, /requires a sign-in before it connects to api\.example:443/],
    [403, 'proxy_refused', 1, /does not allow connections to api\.example:443/],
    [502, 'network', 4, /could not connect to api\.example:443/],
    [503, 'network', 4, /could not connect to api\.example:443/],
    [504, 'network', 4, /could not connect to api\.example:443/],
  ])('CONNECT with %d is named, and not the service: %s', async (status, error, attempts, words) => {
    const proxy = await startProxy({ refuseWith: status, retryAfter: 7 })
    const pauses: number[] = []
    const sleep = async (pause: number) => void pauses.push(pause)
    const { run } = machine({
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: 'https://api.example',
      https_proxy: proxy.url,
    })
    // A request that changes something as well: what was refused here did not reach the service.
    for (const args of [
      ['domains', 'list'],
      ['domains', 'create', 'a.example'],
    ]) {
      const { code, err } = await run([...args, '--json'], { clock: { ...clock, sleep } })
      expect(pauses.splice(0)).toEqual(Array(attempts - 1).fill(7000))
      expect({ code, asked: proxy.asked.splice(0).map(({ line }) => line) }).toEqual({
        code: 8,
        asked: Array(attempts).fill('CONNECT api.example:443'),
      })
      expect(JSON.parse(err).error).toMatchObject({ code: error, status })
      expect(err).toMatch(words)
      expect(err).toContain(`the proxy at ${proxy.url} (from https_proxy)`)
    }
  })

  it.runIf(isSlow && hasOpenssl)('one tunnel with 503 is asked again', async () => {
    const authority = makeAuthority(temporaryFolder())
    const server = await serveSecurely(authority.issue('api.example'), ({ method }, response) =>
      method === 'PUT'
        ? response.writeHead(200).end()
        : json(response, 200, { item: { id: 'dom_1' }, context }),
    )
    const env = {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: 'https://api.example',
      NODE_EXTRA_CA_CERTS: authority.file,
    }
    const session = JSON.stringify({ uploadUrl: 'https://api.example/put?sig=1', requiredHeaders: {} })
    for (const [args, input] of [
      [['domains', 'create', 'a.example'], ''],
      [['uploads', 'put', import.meta.filename, '--session', '-'], session],
    ] as const) {
      const proxy = await startProxy({ leadsTo: server.port, refuseWith: 503, refusals: 1 })
      const { exitCode, stderr } = await runBin([...args, '-v'], { ...env, HTTPS_PROXY: proxy.url }, input)
      expect({ exitCode, asked: proxy.asked.length }, stderr).toEqual({ exitCode: 0, asked: 2 })
    }
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'PUT'])
  })
})

describe('an answer to a plain http request', () => {
  const page = { 'content-type': 'text/html' }
  /** Commands that reach the proxy for the service, and for a store. */
  const through = async (answerWith: NonNullable<Parameters<typeof startProxy>[0]>['answerWith']) => {
    const proxy = await startProxy(answerWith ? { answerWith } : {})
    const { run } = machine({ HTTP_PROXY: proxy.url })
    const setup = ['--base-url', 'http://api.example', '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    const session = JSON.stringify({ uploadUrl: 'http://store.example/put?sig=1', requiredHeaders: {} })
    const put = ['uploads', 'put', import.meta.filename, '--session', '-', '--json']
    // Only a service on this machine may have a file sent over plain http; sending it asks nothing of the service.
    const local = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'http://127.0.0.1:9' }
    return {
      proxy,
      list: () => run(['domains', 'list', '--json', '--profile', 'lan'], { clock }),
      doctor: () => run(['doctor', '--json', '--profile', 'lan'], { clock }),
      put: () => run(put, { stdin: session, clock, env: local }),
    }
  }
  const errorIn = ({ code, err }: { code: number; err: string }) => {
    const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) as string)
    return { code, error: error.code, status: error.status, message: error.message as string }
  }

  it.each([
    [401, page, 'proxy_refused', /requires a sign-in before it connects to \w+\.example/],
    [403, page, 'proxy_refused', /does not allow connections to \w+\.example/],
    [403, {}, 'proxy_refused', /does not allow connections to \w+\.example/],
    [407, { 'content-type': 'application/json' }, 'proxy_refused', /requires a user name/],
    [
      403,
      { 'content-type': 'application/json', 'x-squid-error': 'ERR_ACCESS_DENIED 0' },
      'proxy_refused',
      /allow/,
    ],
    [503, { ...page, 'proxy-status': 'p; error=dns_error' }, 'network', /could not connect to \w+\.example/],
    [502, page, 'network', /could not connect to \w+\.example/],
  ])("with %d and %j is the proxy's own", async (status, headers, code, words) => {
    const { proxy, list, put, doctor } = await through({
      status,
      headers,
      body: '{"error":"E","message":"no"}',
    })
    for (const result of [await list(), await put()]) {
      expect(errorIn(result)).toMatchObject({
        code: 8,
        error: code,
        status,
        message: expect.stringMatching(words),
      })
      expect(errorIn(result).message).toContain(`the proxy at ${proxy.url} (from HTTP_PROXY)`)
    }
    // The key and the service are not to blame, and it is not said that they are.
    const { out } = await doctor()
    expect(out).not.toMatch(/it answers|does not accept|does not let read/)
    expect(out).toContain(`the proxy at ${proxy.url}`)
  })

  it.each([
    [401, 'application/json', 3, 'AUTHENTICATION_ERROR'],
    [403, 'application/json; charset=utf-8', 4, 'AUTHENTICATION_ERROR'],
    [403, 'application/problem+json', 4, 'AUTHENTICATION_ERROR'],
    [503, 'application/json', 8, 'AUTHENTICATION_ERROR'],
    [404, 'text/html', 5, 'AUTHENTICATION_ERROR'],
  ])("with %d and %s is the service's", async (status, type, code, error) => {
    const body = JSON.stringify({ error, message: 'no', context })
    const { list } = await through({ status, headers: { 'content-type': type }, body })
    expect(errorIn(await list())).toMatchObject({ code, error, status })
  })

  it("in XML is the store's", async () => {
    const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
    const { put } = await through({ status: 403, headers: { 'content-type': 'application/xml' }, body })
    expect(errorIn(await put())).toMatchObject({ code: 4, error: 'AccessDenied', status: 403 })
  })
})

describe('the password for a proxy', () => {
  it('is never printed or kept, whoever repeats it', async () => {
    const word = 'canary-p@ss:word'
    const token = Buffer.from(`user:${word}`).toString('base64')
    const given = `user:${encodeURIComponent(word)}`
    const echo = `Proxy-Authorization: Basic ${token}, ${word}, ${given}`
    const headers = { 'content-type': 'application/json', 'x-echo': token }
    for (const status of [200, 400, 407]) {
      const answer = {
        error: token,
        message: echo,
        item: { id: word, text: echo },
        items: [{ id: token }],
        context,
      }
      const proxy = await startProxy({
        authorization: `Basic ${token}`,
        answerWith: { status, headers, body: JSON.stringify(answer) },
      })
      const { run, home } = machine({ HTTP_PROXY: `http://${given}@127.0.0.1:${proxy.port}` })
      const setup = ['--base-url', 'http://api.example', '--allow-http', '--no-verify', '--api-key-file', '-']
      await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
      const book = join(home, 'book.epub')
      writeFileSync(book, await makeExampleEpub())
      for (const args of [
        ['domains', 'list'],
        ['domains', 'get', 'dom_1', '--json', '-v'],
        ['api', 'GET', '/v1/domains', '--include'],
        ['doctor', '--json'],
        ['publications', 'upload', book, book, '--report', join(home, `report.json`)],
      ]) {
        const { out, err } = await run([...args, '--profile', 'lan'], { clock })
        findNoSecret([word, token, encodeURIComponent(word)], out + err, home, args.join(' '))
      }
      expect(proxy.asked.length).toBeGreaterThan(4)
    }
  })
})

it.each(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])(
  'the password in %s is never printed, even if the proxy is not used',
  async name => {
    const { url } = await serve((_, response) =>
      json(response, 200, { items: [{ id: 'dom_1', domain: 'canary-p@ss:word' }], context }),
    )
    const env = {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: url,
      [name]: `http://user:canary-${secret}@127.0.0.1:9`,
    }
    const { code, out, err } = await machine(env).run(['domains', 'list', '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('dom_1')
    expect(out).not.toContain('ss:word')
  },
)

describe('a proxy variable that is no proxy', () => {
  it.each([
    ['http://user:hidden@:3128', /is not an address/],
    ['http://user:hidden@proxy example:3128', /is not an address/],
    ['socks5://user:hidden@proxy.example:1080', /is a socks5 proxy/],
    ['http://user:hidden@proxy.example:3128/path', /something after/],
    ['http://user:hidden%@proxy.example:3128', /percent/],
  ])('%s is a usage failure that does not quote it', async (value, words) => {
    const { list, received } = await service()
    const { code, err } = await list({ HTTP_PROXY: value })
    expect({ code, received }).toEqual({ code: 2, received: [] })
    expect(JSON.parse(err).error).toMatchObject({
      ...{ code: 'unfit_proxy', exitCode: 2 },
      hint: 'Write it like http://proxy.example.com:3128, or list the service in NO_PROXY to go without it.',
    })
    expect(err).toMatch(words)
    expect(err).toContain('HTTP_PROXY')
    expect(err).not.toContain('hidden')
  })
})

describe('the sandbox', () => {
  it.each(['http://127.0.0.1:9', 'no proxy at all'])('is never behind a proxy (%s)', async value => {
    const { code, err } = await machine({ HTTP_PROXY: value, ALL_PROXY: value, https_proxy: value }).sandbox([
      'domains',
      'list',
      '--json',
    ])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

describe.skipIf(!hasOpenssl)('an https address', () => {
  const setUp = async (rules = {}) => {
    const folder = temporaryFolder()
    const authority = makeAuthority(folder)
    const server = await serveSecurely(authority.issue('api.example'), ({ method }, response) =>
      method === 'PUT' ? response.writeHead(200).end() : json(response, 200, { items: [], context }),
    )
    const proxy = await startProxy({ leadsTo: server.port, ...rules })
    const env = {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: 'https://api.example',
      NODE_EXTRA_CA_CERTS: authority.file,
    }
    return { folder, server, proxy, env }
  }

  it('is tunnelled, so that the proxy sees neither the key nor the name looked up here', async () => {
    const { server, proxy, env } = await setUp({ authorization: login })
    const HTTPS_PROXY = `http://user:${secret}@127.0.0.1:${proxy.port}`
    const { exitCode, stdout, stderr } = await runBin(['domains', 'list', '--json'], { ...env, HTTPS_PROXY })
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '[]', stderr: '' })
    expect(proxy.asked).toEqual([{ line: 'CONNECT api.example:443', authorization: login }])
    expect(server.received[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, host: 'api.example' })
    expect(server.received[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  it.each(['0', '1'])('is tunnelled the same with NODE_USE_ENV_PROXY=%s', async value => {
    const { proxy, env } = await setUp()
    const { exitCode } = await runBin(['domains', 'list'], {
      ...env,
      https_proxy: proxy.url,
      NODE_USE_ENV_PROXY: value,
    })
    expect({ exitCode, asked: proxy.asked.map(({ line }) => line) }).toEqual({
      exitCode: 0,
      asked: ['CONNECT api.example:443'],
    })
  })

  it('gets a whole file through the tunnel', async () => {
    const { folder, server, proxy, env } = await setUp()
    const file = join(folder, 'book.bin')
    writeFileSync(file, Buffer.alloc(5_000_000, 'book'))
    const session = JSON.stringify({ uploadUrl: 'https://api.example/put?sig=1', requiredHeaders: {} })
    const { exitCode } = await runBin(
      ['uploads', 'put', file, '--session', '-'],
      { ...env, HTTPS_PROXY: proxy.url },
      session,
    )
    expect(exitCode).toBe(0)
    expect(server.received.map(({ method, body }) => [method, body.length])).toEqual([['PUT', 5_000_000]])
    expect(proxy.asked).toHaveLength(1)
  })

  it('keeps to the certificate of the service, and names the service when it is for another', async () => {
    const { env, proxy } = await setUp()
    const { exitCode, stderr } = await runBin(['domains', 'list'], {
      ...env,
      PUBCTL_BASE_URL: 'https://other.example',
      HTTPS_PROXY: proxy.url,
    })
    expect(exitCode).toBe(8)
    expect(stderr).toMatch(/the service at https:\/\/other\.example has a certificate for another host/)
  })

  it('may stand behind a proxy that itself speaks TLS', async () => {
    const folder = temporaryFolder()
    const authority = makeAuthority(folder)
    const server = await serveSecurely(authority.issue('api.example'), (_, response) =>
      json(response, 200, { items: [], context }),
    )
    const asked = await secureProxy(authority.issue('127.0.0.1'), server.port)
    const { exitCode, stderr } = await runBin(['domains', 'list'], {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: 'https://api.example',
      NODE_EXTRA_CA_CERTS: authority.file,
      HTTPS_PROXY: `https://127.0.0.1:${asked.port}`,
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(asked.lines).toEqual(['api.example:443'])
  })
})

/** A proxy behind TLS that knows CONNECT alone. */
async function secureProxy(certificate: { key: string; cert: string }, leadsTo: number) {
  const lines: string[] = []
  const { port } = await serveSecurely(
    certificate,
    (_, response) => response.writeHead(405).end(),
    server =>
      server.on('connect', ({ url = '' }, socket) => {
        lines.push(url)
        const onward = connect(leadsTo, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          onward.pipe(socket).pipe(onward)
        })
        for (const [one, other] of [
          [socket, onward],
          [onward, socket],
        ] as const)
          one.on('error', () => undefined).on('close', () => other.destroy())
      }),
  )
  return { port, lines }
}
