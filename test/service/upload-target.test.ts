import type { LookupOptions } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { lookupLocalhost } from '../../src/service/client/http.ts'
import { runBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'
import { startProxy } from '../support/proxies/proxy.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'canary-key-0123456789'
const file = import.meta.filename
const session = (uploadUrl: string, requiredHeaders: unknown = {}) =>
  JSON.stringify({ uploadUrl, requiredHeaders })
const put = ['uploads', 'put', file, '--session', '-', '--json']

/** Every way to write an address at which this machine itself answers. */
const waysHome = (port: string | number) => [
  `http://127.0.0.1:${port}/put`,
  `https://127.0.0.1:${port}/put`,
  `http://127.1:${port}/put`,
  `http://2130706433:${port}/put`,
  `http://localhost:${port}/put`,
  `http://LOCALHOST.:${port}/put`,
  `http://books.localhost:${port}/put`,
  `http://[::1]:${port}/put`,
  `http://[::ffff:127.0.0.1]:${port}/put`,
  `http://0.0.0.0:${port}/put`,
  `http://[::]:${port}/put`,
]

describe('an upload address of a service elsewhere', () => {
  it('never leads to this machine, where others may listen', async () => {
    const store = await serve((_, response) => response.writeHead(200).end())
    const proxy = await startProxy({ leadsTo: Number(new URL(store.url).port) })
    const { run } = machine({ HTTP_PROXY: proxy.url })
    const setup = ['--base-url', 'http://api.example', '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    for (const uploadUrl of waysHome(new URL(store.url).port)) {
      const { code, err } = await run([...put, '--profile', 'lan'], { stdin: session(uploadUrl) })
      expect({ code, error: JSON.parse(err).error.code }, uploadUrl).toEqual({
        code: 8,
        error: 'bad_session',
      })
      expect(JSON.parse(err).error, uploadUrl).toMatchObject({
        message: `the service gave an upload address that leads to this machine (${new URL(uploadUrl).origin})`,
        hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
      })
      const doctor = await run(['doctor', '--session', '-', '--profile', 'lan', '--json'], {
        stdin: session(uploadUrl),
      })
      expect(doctor.out, uploadUrl).toMatch(
        /"check":"store","status":"fail","message":"[^"]*leads to this machine/,
      )
    }
    expect(store.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('is not plain http, even if the profile allows that for the service', async () => {
    const proxy = await startProxy()
    const { run } = machine({ HTTP_PROXY: proxy.url })
    const setup = ['--base-url', 'http://api.example', '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    const text = session('http://store.example/put')
    const { code, err } = await run([...put, '--profile', 'lan'], { stdin: text })
    expect({ code, error: JSON.parse(err).error, asked: proxy.asked }).toMatchObject({
      code: 8,
      error: {
        code: 'bad_session',
        message: 'the service gave an upload address that is not encrypted (http://store.example)',
      },
      asked: [],
    })
    const doctor = await run(['doctor', '--session', '-', '--profile', 'lan', '--json'], { stdin: text })
    expect(doctor.out).toMatch(/"check":"store","status":"fail","message":"[^"]*is not encrypted/)
    expect(proxy.asked.filter(({ line }) => line.includes('store.example'))).toEqual([])
  })

  it('may be plain http for a service on this machine', async () => {
    const { url } = await serve((_, response) => json(response, 200, {}))
    const proxy = await startProxy({ leadsTo: Number(new URL(url).port) })
    const env = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url, HTTP_PROXY: proxy.url }
    const { code } = await machine(env).run(put, { stdin: session('http://store.example/put') })
    expect({ code, asked: proxy.asked.map(({ line }) => line) }).toEqual({
      code: 0,
      asked: ['PUT http://store.example/put'],
    })
  })

  it.skipIf(!hasOpenssl)('is not plain http when the service is asked over https', async () => {
    const authority = makeAuthority(temporaryFolder())
    const server = await serveSecurely(authority.issue('api.example'), (_, response) =>
      json(response, 200, {}),
    )
    const proxy = await startProxy({ leadsTo: server.port })
    const { exitCode, stderr } = await runBin(
      put,
      {
        PUBCTL_API_KEY: key,
        PUBCTL_BASE_URL: 'https://api.example',
        NODE_EXTRA_CA_CERTS: authority.file,
        ALL_PROXY: proxy.url,
      },
      session('http://store.example/put'),
    )
    expect(exitCode).toBe(8)
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'bad_session',
      message: 'the service gave an upload address that is not encrypted (http://store.example)',
    })
    expect(proxy.asked).toEqual([])
  })
})

describe('a header that an upload session requires', () => {
  const [ours, noName, noValue] = [
    'is not one for a session to set',
    'has a name that HTTP does not allow',
    'has a value that HTTP cannot carry',
  ]
  it.each([
    ['Host', 'other.example', ours],
    ['connection', 'keep-alive, x-secret', ours],
    ['Content-Length', '1', ours],
    ['content-length', 'that of the file', ours],
    ['Transfer-Encoding', 'chunked', ours],
    ['authorization', 'Bearer abcdefgh12345', ours],
    ['Proxy-Authorization', 'Basic abcdefgh12345', ours],
    ['Proxy-Authenticate', 'Basic', ours],
    ['Proxy-Connection', 'close', ours],
    ['HTTP2-Settings', 'x', ours],
    ['Keep-Alive', 'timeout=5', ours],
    ['TE', 'trailers', ours],
    ['Trailer', 'x', ours],
    ['Upgrade', 'h2c', ours],
    ['Expect', '100-continue', ours],
    ['x bad', 'y', noName],
    ['bad x', 'y', noName],
    ['', 'y', noName],
    ['x-a', 'two\r\nlines: b', noValue],
    ['x-a', 'ümlaut', noValue],
    ['x-a', 'umlaut: ü', noValue],
  ])('is refused before anything is sent: %j', async (name, value, trouble) => {
    const { url, received } = await serve((_, response) => response.writeHead(200).end())
    const { statSync } = await import('node:fs')
    const text = value === 'that of the file' ? String(statSync(file).size) : value
    const { code, err } = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }).run(put, {
      stdin: session(`${url}/put`, { [name]: text }),
    })
    expect({ code, received, error: JSON.parse(err).error }).toMatchObject({
      code: 8,
      received: [],
      error: {
        code: 'bad_session',
        message: `the upload session requires the header ${JSON.stringify(name)}, which ${trouble}`,
        hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
      },
    })
    expect(err).not.toContain('abcdefgh12345')
  })
})

it.each([
  ['nowhere', 'is not a URL'],
  ['ftp://127.0.0.1/put', 'is neither https nor http (ftp:)'],
])('an upload session cannot lead to %s', async (uploadUrl, trouble) => {
  const { code, err } = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'http://127.0.0.1:9' }).run(
    put,
    {
      stdin: session(uploadUrl),
    },
  )
  expect({ code, error: JSON.parse(err).error }).toMatchObject({
    code: 8,
    error: { code: 'bad_session', message: `the service gave an upload address that ${trouble}` },
  })
})

it('an upload session that names the program replaces the name that pubctl gives', async () => {
  const { url, received } = await serve((_, response) => response.writeHead(200).end())
  const { code } = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }).run(put, {
    stdin: session(`${url}/put`, { 'User-Agent': 'publisher' }),
  })
  expect(code).toBe(0)
  const [names, values] = [0, 1].map(at => received[0]?.rawHeaders.filter((_, index) => index % 2 === at))
  expect(values?.filter((_, index) => names?.[index]?.toLowerCase() === 'user-agent')).toEqual(['publisher'])
})

describe('localhost', () => {
  type Found = { address: string; family: number }
  /** What a connection gets that looks up a host for which the system has these addresses. */
  const resolved = async (
    addresses: Found[] | Error,
    host = 'localhost',
    options: LookupOptions = { all: true },
  ) =>
    await new Promise((resolve, reject) =>
      lookupLocalhost((name, asked, callback) => {
        expect([name, asked]).toEqual([host, { ...options, all: true }])
        addresses instanceof Error ? callback(addresses, []) : callback(null, addresses)
      })(host, options, (error, found, family) =>
        error ? reject(error) : resolve(family === undefined ? found : [found, family]),
      ),
    )
  const home = { address: '::1', family: 6 }
  const away = { address: '10.0.0.7', family: 4 }

  it('is this machine only as far as it is looked up to be', async () => {
    expect(await resolved([away, home])).toEqual([home])
    await expect(resolved([away])).rejects.toMatchObject({
      ...{ code: 'ELOCALHOST', message: 'localhost is not an address of this machine' },
    })
    expect(await resolved([away, home], 'api.example')).toEqual([away, home])
  })

  it('is given as one address where one is asked for', async () => {
    expect(await resolved([away, home], 'localhost', { family: 6, hints: 1 })).toEqual(['::1', 6])
    expect(await resolved([away, home], 'api.example', {})).toEqual(['10.0.0.7', 4])
  })

  it('ends with what the system says where it has no address', async () => {
    const error = Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    await expect(resolved(error)).rejects.toBe(error)
    await expect(resolved(error, 'api.example')).rejects.toBe(error)
  })
})
