import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { databasePath } from '../../src/sandbox/store/database.ts'
import { contract } from '../../src/service/contract/index.ts'
import { pathParameters } from '../../src/service/contract/parameters.ts'
import { creation, dataFolder, sandbox } from '../support/servers/sandbox.ts'

const endpoints = Object.values(contract).flatMap(group => Object.values(group))
const anyPath = (path: string): string => path.replace(/\{\w+\}/g, 'any')

/** Changes a key's record behind the service's back. */
function changeKey(dataDir: string, id: string, fields: object): void {
  const db = new Libsql(databasePath(dataDir))
  db.prepare('UPDATE api_keys SET doc = json_patch(doc, ?) WHERE id = ?').run([JSON.stringify(fields), id])
  db.close()
}

describe('who calls', () => {
  it.each(endpoints.map(({ method, path }) => [method, path] as const))(
    '%s %s answers 401 without a key',
    async (method, path) => {
      const { call } = await sandbox()
      const { status, body } = await call(method, anyPath(path), undefined, null)
      expect(status).toBe(401)
      expect(body).toEqual({
        error: 'AUTHENTICATION_ERROR',
        message: expect.any(String),
        context: { path: anyPath(path), method, requestId: expect.any(String) },
      })
    },
  )

  it('refuses keys that are unknown, inactive, expired or revoked, and says nothing of who they are', async () => {
    const { call, key, dataDir } = await sandbox()
    changeKey(dataDir, 'key_full', { expires: '2025-06-01T00:00:00.000Z' })
    changeKey(dataDir, 'key_read_only', { revoked: '2025-06-01T00:00:00.000Z' })
    for (const text of ['nonsense', key('inactive'), key('full'), key('read-only'), '']) {
      const { status, body } = await call('GET', '/v1/users', undefined, text)
      expect({ text, status, error: body.error }).toEqual({
        text,
        status: 401,
        error: 'AUTHENTICATION_ERROR',
      })
      expect(body.context).not.toHaveProperty('authentication')
    }
  })

  it('refuses another scheme than Bearer', async () => {
    const { baseUrl, key } = await sandbox()
    const answer = await fetch(`${baseUrl}/v1/users`, { headers: { authorization: `Basic ${key('full')}` } })
    expect(answer.status).toBe(401)
  })

  it('takes a key that expires later', async () => {
    const { call, dataDir } = await sandbox()
    changeKey(dataDir, 'key_full', { expires: '2999-01-01T00:00:00.000Z' })
    expect((await call('GET', '/v1/users')).status).toBe(200)
  })

  it('says in the context of every success who called', async () => {
    const { call } = await sandbox()
    const { body, headers } = await call('GET', '/v1/domains')
    expect(body.context).toMatchObject({
      path: '/v1/domains',
      method: 'GET',
      requestId: headers.get('x-request-id'),
      authentication: {
        sub: 'sub_ada',
        scopeId: 'scope_sandbox',
        requestId: headers.get('x-request-id'),
        authType: 'apiKey',
        email: 'ada@publisher.example',
        keyId: 'key_full',
        organisationId: 'org_sandbox',
        user: { role: 'Admin', billing: { monthlyBandwidthLimitBytes: expect.stringMatching(/^\d+$/) } },
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('notes when a key was last used', async () => {
    const { ok } = await sandbox()
    const before = new Date().toISOString()
    await ok('GET', '/v1/users')
    const { item } = await ok('GET', '/v1/apikeys/key_full')
    expect(item.lastUsed >= before).toBe(true)
    expect((await ok('GET', '/v1/apikeys/key_inactive')).item.lastUsed).toBeNull()
  })
})

describe('what a key may do', () => {
  it.each(
    endpoints.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, path] as const),
  )('%s %s answers 403 to a key that only reads', async (method, path) => {
    const { call, key } = await sandbox()
    const { status, body } = await call(method, anyPath(path), undefined, key('read-only'))
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'AUTHENTICATION_ERROR' })
    expect(body.context.authentication.keyId).toBe('key_read_only')
  })

  it('asks for the scope that goes with the method', async () => {
    const { call, ok, key } = await sandbox()
    const allowed = async (scopes: string[]) => {
      await ok('PATCH', '/v1/apikeys/key_read_only', { scopes })
      const statuses = []
      for (const [method, path] of [
        ['GET', '/v1/users'],
        ['POST', '/v1/domains'],
        ['PATCH', '/v1/domains/dom_staging'],
        ['DELETE', '/v1/domains/nowhere'],
      ] as const) {
        const body = method === 'POST' || method === 'PATCH' ? {} : undefined
        statuses.push((await call(method, path, body, key('read-only'))).status)
      }
      return statuses
    }
    expect(await allowed(['read'])).toEqual([200, 403, 403, 403])
    expect(await allowed(['write'])).toEqual([403, 400, 200, 403])
    expect(await allowed(['delete'])).toEqual([403, 403, 403, 404])
    expect(await allowed([])).toEqual([403, 403, 403, 403])
  })
})

describe('where a request goes', () => {
  it.each([
    '/',
    '/v1',
    '/v2/users',
    '/v1/users/',
    '/v1/users/1',
    '/v1/publications/%zz',
    '/v1//users',
    '/v1/Users',
  ])('%s is no path of the service', async path => {
    const { call } = await sandbox()
    const { status, body } = await call('GET', path)
    expect({ status, error: body.error }).toEqual({ status: 404, error: 'EMPTY_RESPONSE' })
    expect(body.context.authentication).toBeDefined()
  })

  const paths = [...new Set(endpoints.map(({ path }) => path))]
  it.each(paths)('%s answers 405 to other methods, and says which it has', async path => {
    const { call } = await sandbox()
    const allowed = endpoints.filter(endpoint => endpoint.path === path).map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']) {
      if (allowed.some(each => each === method)) continue
      const { status, body, headers } = await call(method, anyPath(path))
      expect({ method, status, error: body.error }).toEqual({
        method,
        status: 405,
        error: 'UNSUPPORTED_METHOD',
      })
      expect(headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort())
    }
  })

  it.each(
    endpoints
      .filter(
        ({ path, method }) =>
          pathParameters(path).length > 0 && !(method === 'POST' && path.endsWith('/editions')),
      )
      .map(({ method, path }) => [method, path] as const),
  )('%s %s answers 404 to an identifier that does not exist', async (method, path) => {
    const { call } = await sandbox()
    const query = path.endsWith('/activity') ? '?from=2026-01-01&to=2026-01-02' : ''
    const bodies: Record<string, object> = {
      '/v1/resources/assets/{id}': { filename: 'a' },
      '/v1/resources/metadata-keys/{id}': { status: 'archived' },
    }
    const { status, body } = await call(
      method,
      anyPath(path) + query,
      method === 'PATCH' ? (bodies[path] ?? {}) : undefined,
    )
    expect({ status, error: body.error }).toEqual({ status: 404, error: 'EMPTY_RESPONSE' })
    expect(body.message).toContain('any')
  })

  it('answers 404 to an edition of an unknown publication', async () => {
    const { call } = await sandbox()
    expect((await call('POST', '/v1/publications/any/editions', creation())).status).toBe(404)
  })

  it('takes a request with the whole address, as a proxy sends it', async () => {
    const { baseUrl, key } = await sandbox()
    const { port } = new URL(baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `GET ${baseUrl}/v1/users HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key('full')}\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /)
  })
})

it('gives the same record whichever process of the sandbox is asked', async () => {
  const dataDir = dataFolder()
  const [one, two] = [await sandbox({ dataDir }), await sandbox({ dataDir })]
  const { item } = await one.ok('POST', '/v1/domains', { domain: 'one.example' })
  expect((await two.ok('GET', `/v1/domains/${item.id}`)).item).toEqual(item)
})
