import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { sandbox } from '../support/servers/sandbox.ts'

interface Sent {
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** The request line's target, where it is not the path. */
  target?: string
}

/** One request as a browser or any other program could send it, with headers that fetch would not let through. */
function send(
  url: string,
  { method = 'GET', headers, body, target }: Sent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url)
    const asked = request(
      { hostname, port, path: target ?? pathname + search, method, headers, agent: false },
      async answer => resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    )
    asked.on('error', reject).end(body)
  })
}

const foreign: [string, (port: string) => Record<string, string>][] = [
  ['a name that a web page points to loopback', port => ({ host: `evil.example:${port}` })],
  ['a name below localhost', port => ({ host: `evil.localhost:${port}` })],
  ['a name that begins like loopback', port => ({ host: `127.0.0.1.evil.example:${port}` })],
  ['a page of another site', () => ({ origin: 'https://evil.example' })],
  ['a page without an origin', () => ({ origin: 'null' })],
  ['a page of another server on this machine', () => ({ origin: 'http://127.0.0.1:3000' })],
]

describe.each(foreign)('a request from %s', (_, headersFor) => {
  it('is refused by the API, key or not, and changes nothing', async () => {
    const { baseUrl, key, ok } = await sandbox()
    const headers = headersFor(new URL(baseUrl).port)
    for (const authorization of [`Bearer ${key('full')}`, undefined]) {
      const { status, body } = await send(`${baseUrl}/v1/domains`, {
        method: 'POST',
        headers: { ...headers, ...(authorization && { authorization }) },
        body: JSON.stringify({ domain: 'planted.example' }),
      })
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 403, error: 'AUTHENTICATION_ERROR' })
      expect(JSON.parse(body).context).not.toHaveProperty('authentication')
    }
    expect(JSON.stringify(await ok('GET', '/v1/domains'))).not.toContain('planted')
  })

  it('is refused by the store, signed or not', async () => {
    const { baseUrl, create, ok } = await sandbox()
    const { item, result } = await create()
    const { status, body } = await send(result.uploadUrl, {
      method: 'PUT',
      headers: { ...result.requiredHeaders, ...headersFor(new URL(baseUrl).port) },
      body: await makeExampleEpub(),
    })
    expect(status).toBe(403)
    expect(body).toContain('<Code>AccessDenied</Code>')
    const { item: after } = await ok('GET', `/v1/publications/${item.id}`)
    expect(after.editions[0].uploadStatus).toBe('upload_pending')
  })
})

describe('a request from this machine', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', '127.0.0.2'])('is answered at %s', async name => {
    const { baseUrl, key } = await sandbox()
    const { port } = new URL(baseUrl)
    const headers = { host: `${name}:${port}`, authorization: `Bearer ${key('full')}` }
    expect((await send(`${baseUrl}/v1/users`, { headers })).status).toBe(200)
  })

  it('is answered behind another port, and from a page of its own', async () => {
    const { baseUrl, key } = await sandbox()
    const authorization = `Bearer ${key('full')}`
    for (const headers of [
      { host: 'localhost:9000' },
      { host: 'localhost' },
      { host: 'localhost:9000', origin: 'http://localhost:9000' },
    ]) {
      expect((await send(`${baseUrl}/v1/users`, { headers: { ...headers, authorization } })).status).toBe(200)
    }
  })

  it('may name the whole address, but no foreign one', async () => {
    const { baseUrl, key } = await sandbox()
    const authorization = `Bearer ${key('full')}`
    const { host } = new URL(baseUrl)
    const to = async (origin: string) =>
      (await send(baseUrl, { target: `${origin}/v1/users`, headers: { host, authorization } })).status
    expect([await to(baseUrl), await to('http://evil.example')]).toEqual([200, 403])
  })
})
