import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { creation, sandbox } from '../support/servers/sandbox.ts'

describe('what a request holds', () => {
  const findings = ({
    status,
    body,
  }: {
    status: number
    body: { error: string; details: { path: unknown[]; code: string }[] }
  }) => ({
    status,
    error: body.error,
    details: body.details?.map(({ path, code }) => [path.join('.'), code]),
  })
  const refused = (...details: [string, string][]) => ({ status: 400, error: 'ZOD_ERROR', details })

  it('must have the types that the document says', async () => {
    const { call } = await sandbox()
    const post = async (more: object) => findings(await call('POST', '/v1/publications', creation(more)))
    expect(await post({ edition: { title: 7 } })).toEqual(refused(['edition.title', 'invalid_type']))
    expect(await post({ collectionIds: ['a', null] })).toEqual(refused(['collectionIds.1', 'invalid_type']))
    expect(await post({ edition: { type: 'MOBI' } })).toEqual(refused(['edition.type', 'invalid_value']))
    expect(await post({ uploadRequestId: 'x' })).toEqual(refused(['uploadRequestId', 'invalid_format']))
    expect(await post({ language: null, sampleItems: 'a' })).toEqual(
      refused(['language', 'invalid_type'], ['sampleItems', 'invalid_type']),
    )
    expect(await post({ edition: { metadata: { pageCount: 12 } } })).toEqual(
      refused(['edition.metadata.pageCount', 'invalid_type']),
    )
    expect(await post({ unheardOf: 1 })).toEqual(refused(['', 'unrecognized_keys']))
  })

  it('says each finding in words', async () => {
    const { call } = await sandbox()
    const { body } = await call('POST', '/v1/domains', {})
    expect(body.details).toEqual([
      { message: expect.stringContaining('expected string'), path: ['domain'], code: 'invalid_type' },
    ])
    expect(body.context.authentication).toBeDefined()
  })

  it('is told in details also where only the state of things speaks against it', async () => {
    const { call, ok } = await sandbox()
    await ok('POST', '/v1/resources/metadata-keys', { key: 'series' })
    const at = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body)
      return [
        answer.status,
        ...answer.body.details.map((detail: { path: string[] }) => detail.path.join('.')),
      ]
    }
    expect(await at('POST', '/v1/domains', { domain: 'library.publisher.example' })).toEqual([400, 'domain'])
    expect(await at('POST', '/v1/resources/metadata-keys', { key: 'series' })).toEqual([400, 'key'])
    expect(await at('GET', '/v1/publications?nextToken=x')).toEqual([400, 'nextToken'])
    expect(await at('GET', '/v1/analytics?from=2030-02&to=2030-01')).toEqual([400, 'to'])
  })

  it('has indexes of arrays as numbers', async () => {
    const { call } = await sandbox()
    const { body } = await call('POST', '/v1/resources/assets', { assets: [{ type: 'font', filename: 1 }] })
    expect(body.details[0].path).toStrictEqual(['assets', 0, 'filename'])
  })

  it.each(['{', '', 'nonsense', '{"domain":"a.example"} x'])('must be JSON: %j is none', async body => {
    const { call } = await sandbox()
    const answer = await call('POST', '/v1/domains', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toBe('ZOD_ERROR')
    expect(answer.body.details.length).toBeGreaterThan(0)
  })

  it.each(['[]', '"text"', 'null', '7'])('must be an object: %s is none', async body => {
    const { call } = await sandbox()
    expect(findings(await call('POST', '/v1/domains', body))).toEqual(refused(['', 'invalid_type']))
  })

  it('must be UTF-8', async () => {
    const { call } = await sandbox()
    const body = Buffer.from('{"domain":"\xfc.example"}', 'latin1')
    expect(findings(await call('POST', '/v1/domains', body))).toEqual(refused(['', 'invalid_json']))
  })

  it('may not name what the path names', async () => {
    const { call } = await sandbox()
    const answer = await call('PATCH', '/v1/domains/dom_staging', { id: 'dom_school', description: 'x' })
    expect(findings(answer)).toEqual(refused(['', 'unrecognized_keys']))
    expect(findings(await call('GET', '/v1/domains/dom_staging?id=dom_school'))).toEqual(
      refused(['', 'unrecognized_keys']),
    )
  })

  it.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=51', 'limit', 'too_big'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['limit=1e1', 'limit', 'invalid_type'],
    ['limit=', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    ['statuses=gone', 'statuses.0', 'invalid_value'],
    ['statuses=draft,gone', 'statuses.1', 'invalid_value'],
    ['statuses=draft&statuses=', 'statuses.1', 'invalid_value'],
    ['sortBy=size', 'sortBy', 'invalid_value'],
    ['unheardOf=1', '', 'unrecognized_keys'],
    ['constructor=1', '', 'unrecognized_keys'],
  ])('GET /v1/publications?%s is refused at %j', async (query, path, code) => {
    const { call } = await sandbox()
    expect(findings(await call('GET', `/v1/publications?${query}`))).toEqual(refused([path, code]))
  })

  it('may be 1 MiB long and no longer', async () => {
    const { call, baseUrl, key } = await sandbox()
    const body = (length: number) => `{"domain":"${'x'.repeat(length - 13)}"}`
    expect((await call('POST', '/v1/domains', body(2 ** 20))).status).toBe(400)
    const { status, body: envelope } = await call('POST', '/v1/domains', body(2 ** 20 + 1))
    expect({ status, error: envelope.error }).toEqual({ status: 413, error: 'INVALID_REQUEST' })
    // Without a key it is the key that is wrong.
    expect((await call('POST', '/v1/domains', body(2 ** 21), null)).status).toBe(401)
    const chunked = await fetch(`${baseUrl}/v1/domains`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key('full')}` },
      body: new Blob([body(2 ** 22)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  it('goes on with the next request after a client has vanished', async () => {
    const { baseUrl, call, key } = await sandbox()
    for (const head of [
      'POST /v1/domains HTTP/1.1\r\nContent-Length: 100\r\n',
      'GET /v1/users HTTP/1.1\r\n',
    ]) {
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
      socket.write(`${head}Host: localhost\r\nAuthorization: Bearer ${key('full')}\r\n\r\n{"dom`, () =>
        socket.resetAndDestroy(),
      )
      await new Promise(resolve => socket.once('close', resolve))
    }
    expect((await call('GET', '/v1/users')).status).toBe(200)
  })
})
