import { describe, expect, it } from 'vitest'
import { refusalIn } from '../../src/service/client/proxy-refusal.ts'
import { openTunnel } from '../../src/service/client/tunnel.ts'
import { createConnector } from '../../src/service/client/undici.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'

const proxy = { origin: 'http://proxy.example:3128', source: 'HTTPS_PROXY' }
const named = 'the proxy at http://proxy.example:3128 (from HTTPS_PROXY)'
const [check, allow] = [
  'Check the address; list its host in NO_PROXY if the proxy cannot reach it.',
  'Ask the operator of the proxy to allow it.',
]
const login = 'Put the right ones into HTTPS_PROXY: http://user:password@host:port, percent-encoded.'

describe('an answer that a proxy gives instead of the service', () => {
  it.each([
    [
      401,
      'proxy_refused',
      'requires a sign-in before it connects to api.example:443',
      'Sign in to the network, or ask the operator of the proxy.',
    ],
    [403, 'proxy_refused', 'does not allow connections to api.example:443', allow],
    [407, 'proxy_refused', 'requires a user name and a password', login],
    [502, 'network', 'could not connect to api.example:443', check],
    [503, 'network', 'could not connect to api.example:443', check],
    [504, 'network', 'could not connect to api.example:443', check],
  ])('with %d is %s: %s', (status, code, reason, hint) => {
    const refusal = refusalIn({ status, headers: {} }, proxy, 'api.example:443')
    expect(refusal).toMatchObject({ code, status, hint, message: `${named} ${reason} (status ${status})` })
  })

  it('with 407 says whether a password was sent', () => {
    const refusal = refusalIn(
      { status: 407, headers: {} },
      { ...proxy, authorization: 'Basic x' },
      'api.example:443',
    )
    expect(refusal?.message).toBe(`${named} refused the user name and password (status 407)`)
  })

  it.each<[number, Record<string, string>, boolean]>([
    [200, {}, false],
    [404, { 'x-squid-error': 'ERR_ACCESS_DENIED 0' }, false],
    [500, {}, false],
    [403, { 'content-type': 'text/html' }, true],
    [403, { 'content-type': 'application/json' }, false],
    [403, { 'content-type': 'APPLICATION/problem+json; charset=utf-8' }, false],
    [403, { 'content-type': 'text/xml' }, false],
    [403, { 'content-type': 'application/jsonp' }, true],
    [403, { 'content-type': 'image/svg+xml' }, true],
    [403, { 'content-type': 'x-application/json' }, true],
    [407, { 'content-type': 'application/json' }, true],
    [403, { 'content-type': 'application/json', 'x-squid-error': 'ERR_ACCESS_DENIED 0' }, true],
    [502, { 'content-type': 'application/json', 'proxy-status': 'p; error=dns_error' }, true],
    [502, { 'content-type': 'application/json', 'proxy-status': 'p;error=dns_error' }, true],
    [502, { 'content-type': 'application/json', 'proxy-status': 'p; fwd=stale' }, false],
  ])('%d with %j: %s', (status, headers, isRefusal) => {
    expect(refusalIn({ status, headers }, proxy, 'api.example:443') !== undefined).toBe(isRefusal)
  })
})

it('a proxy that takes a connection and never answers is named', async () => {
  const { url } = await faultyServer({ when: 'connected', does: 'hang' })
  const silent = { ...proxy, origin: url }
  const tunnel = openTunnel(silent, 'api.example:443', createConnector({}), 50, new AbortController().signal)
  await expect(tunnel).rejects.toMatchObject({
    code: 'timeout',
    message: `cannot talk to the proxy at ${url} (from HTTPS_PROXY): no answer came in time`,
  })
})
