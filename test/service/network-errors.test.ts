import { describe, expect, it } from 'vitest'
import {
  asNetworkFailure,
  isOutOfHandles,
  isPermanent,
  wasCut,
  wasNotSent,
} from '../../src/service/client/network-errors.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { type Fault, faultyServer } from '../support/proxies/faulty-server.ts'

/** A command that is not repeated, so that the first trouble is the one that is told. */
const create = (url: string, ...options: string[]) =>
  machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }).run([
    ...options,
    'domains',
    'create',
    'a.example',
    '--json',
  ])

const head = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n'
const answering = (says: string): Fault => ({ when: 1, says })

describe('trouble on the way is told in words', () => {
  it.each<[string, Fault, string, RegExp]>([
    ['a connection that ends without an answer', { when: 1 }, 'network', /was cut/],
    ['a reset', { when: 1, does: 'reset' }, 'network', /was cut/],
    ['a short body', answering(`${head}content-length: 99\r\n\r\n{"item"`), 'network', /was cut/],
    ['a short chunk', answering(`${head}transfer-encoding: chunked\r\n\r\n9\r\n{}`), 'network', /was cut/],
    [
      'a broken chunk',
      answering(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}`),
      'bad_reply',
      /is not HTTP/,
    ],
    ['another protocol', answering('SSH-2.0-OpenSSH_9.6\r\n'), 'bad_reply', /is not HTTP/],
    ['a broken header', answering(`${head}no header\r\n\r\n{}`), 'bad_reply', /is not HTTP/],
    [
      'endless headers',
      answering(`${head}x: ${'a'.repeat(200_000)}\r\n\r\n{}`),
      'bad_reply',
      /too many headers/,
    ],
    ['no answer at all', { when: 1, does: 'hang' }, 'timeout', /did not answer within 0\.3 s/],
    [
      'an answer that stops',
      { ...answering(`${head}content-length: 99\r\n\r\n{`), does: 'hang' },
      'timeout',
      /did not answer within/,
    ],
  ])('%s', async (_, fault, errorCode, words) => {
    // A busy machine may take longer for an answer that comes.
    const timeout = errorCode === 'timeout' ? '300ms' : '30s'
    const { code, out, err } = await create((await faultyServer(fault)).url, '--timeout', timeout)
    expect({ code, out }).toEqual({ code: 8, out: '' })
    const { error } = JSON.parse(err)
    const hints: Record<string, string> = {
      network: 'Check the address and the network, then run the command again.',
      bad_reply: 'Check that the address, its port and its scheme are those of the service.',
      timeout: 'Allow more time with --timeout, or try again later.',
    }
    expect(error).toMatchObject({ code: errorCode, exitCode: 8, hint: hints[errorCode] })
    expect(error.message).toMatch(words)
    expect(error.message).toMatch(/the service at http:\/\/127\.0\.0\.1:\d+/)
    expect(err).not.toMatch(/fetch failed|UND_ERR|\n +at |\.js:\d/)
  })

  it.each([
    ['POST', '/v1/domains', 201],
    ['DELETE', '/v1/domains/1', 400],
    ['GET', '/v1/domains/1', 404],
    ['GET', '/v1/domains', 200],
  ])('a short body, also after %s %s with %d by "api"', async (method, path, status) => {
    const short = answering(`HTTP/1.1 ${status} So\r\ncontent-length: 99\r\n\r\n{"item"`)
    const { url, env } = await faultyServer(short)
    const { run } = machine(env)
    const { code, out, err } = await run(['api', method, path], { clock: sleeplessClock() })
    expect({ code, out, err: err.replaceAll(url, 'URL') }).toEqual({
      ...{ code: 8, out: '' },
      err: expect.stringContaining('error: cannot talk to the service at URL: the connection was cut\n'),
    })
  })

  it('a name that nobody knows', async () => {
    const { code, err } = await create('https://nowhere.invalid', '--timeout', '2s')
    expect(code).toBe(8)
    expect(JSON.parse(err).error.message).toMatch(
      /https:\/\/nowhere\.invalid: (there is no host|the name could not)/,
    )
  })
})

describe('a mistake in pubctl itself', () => {
  it.each([new TypeError('x is not a function'), new RangeError('too deep'), new ReferenceError('no x')])(
    'is not blamed on the network: %s',
    error => expect(() => asNetworkFailure(error, 'the service')).toThrow(error),
  )

  it('is told from what fetch makes of a network error', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const failure = asNetworkFailure(new TypeError('fetch failed', { cause }), 'the service')
    expect(failure).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/nothing listens there/),
    })
  })
})

const coded = (code: string, message = 'message of the system\nand more') =>
  Object.assign(new Error(message), { code })

describe('an error of the system', () => {
  const cut = 'the connection was cut'
  const noTls = 'it does not speak TLS there; is the address http and not https?'
  const hints: Record<string, string> = {
    EMFILE: 'Raise the limit, such as with: ulimit -n 1024',
    ENFILE: 'End other programs, or raise its limit.',
    bad_reply: 'Check that the address, its port and its scheme are those of the service.',
    network: 'Check the address and the network, then run the command again.',
    timeout: 'Check the address and the network, then run the command again.',
  }
  it.each([
    // The last column: whether it was not sent, was cut, is out of handles, is permanent.
    ['ECONNREFUSED', 'network', 'nothing listens there (connection refused)', 'unsent'],
    ['ECONNRESET', 'network', cut, 'cut'],
    ['ECONNABORTED', 'network', cut, 'cut'],
    ['EPIPE', 'network', cut, 'cut'],
    ['UND_ERR_SOCKET', 'network', cut, 'cut'],
    ['ENOTFOUND', 'network', 'there is no host of that name', 'unsent'],
    ['EAI_AGAIN', 'network', 'the name could not be looked up; is this machine online?', 'unsent'],
    ['EAI_FAIL', 'network', 'the name could not be looked up', ''],
    ['ELOCALHOST', 'network', 'on this machine localhost leads elsewhere; write 127.0.0.1', ''],
    ['EHOSTUNREACH', 'network', 'the host cannot be reached', 'unsent'],
    ['ENETUNREACH', 'network', 'the network cannot be reached', 'unsent'],
    ['ENETDOWN', 'network', 'the network is down', ''],
    ['EADDRNOTAVAIL', 'network', 'the network cannot be reached from this machine', ''],
    ['EACCES', 'network', 'this machine does not allow the connection', ''],
    ['EPERM', 'network', 'this machine does not allow the connection', ''],
    ['EMFILE', 'network', 'this process has too many open files', 'unsent full'],
    ['ENFILE', 'network', 'this machine has too many open files', 'unsent full'],
    ['ETIMEDOUT', 'timeout', 'the connection timed out', ''],
    ['ERR_SOCKET_CONNECTION_TIMEOUT', 'timeout', 'the connection timed out', ''],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'the connection timed out', 'unsent'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'no answer came in time', ''],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'the answer stopped half way', ''],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'network', 'the answer was cut short', ''],
    ['UND_ERR_HEADERS_OVERFLOW', 'bad_reply', 'its answer begins with far too many headers', 'permanent'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'bad_reply', noTls, 'permanent'],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'bad_reply', noTls, 'permanent'],
    ['ERR_SSL_HTTP_REQUEST', 'bad_reply', noTls, 'permanent'],
    ['ERR_SSL_ODD', 'bad_reply', 'no TLS connection is possible (ERR_SSL_ODD)', 'permanent'],
  ])('%s is a failure %s: %s', (systemCode, code, trouble, facts) => {
    for (const error of [
      coded(systemCode),
      new TypeError('fetch failed', { cause: coded(systemCode) }),
      new AggregateError([coded(systemCode), coded('EOTHER')]),
    ]) {
      expect(asNetworkFailure(error, 'the service')).toMatchObject({
        code,
        exitCode: 8,
        message: `cannot talk to the service: ${trouble}`,
        hint: hints[systemCode] ?? hints[code],
      })
      const seen = Object.entries({
        unsent: wasNotSent(error),
        cut: wasCut(error),
        full: isOutOfHandles(error),
        permanent: isPermanent(error),
      })
      expect(seen.flatMap(([name, is]) => (is ? name : [])).join(' ')).toBe(facts)
    }
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'that has expired', /must renew the certificate; check the clock/],
    ['CERT_NOT_YET_VALID', 'that is not valid yet', /^Check the clock of this machine\.$/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host', /^Check the host in the address/],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'that is self-signed',
      /^If you trust it, name its file in NODE_EXTRA_CA_CERTS/,
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'that this machine does not trust', /private certificate authority/],
    [
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'that this machine does not trust',
      /private certificate authority/,
    ],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'that this machine does not trust', /private certificate authority/],
  ])('%s is a certificate %s, for good', (code, trouble, hint) => {
    expect(asNetworkFailure(coded(code), 'the service')).toMatchObject({
      code: 'certificate',
      exitCode: 8,
      message: `the service has a certificate ${trouble} (${code})`,
      hint: expect.stringMatching(hint),
    })
    expect(isPermanent(coded(code))).toBe(true)
  })

  it('that nobody knows is told in the first line of its own words', () => {
    expect(asNetworkFailure(coded('EODD'), 'the service').message).toBe(
      'cannot talk to the service: message of the system',
    )
    expect(asNetworkFailure('odd', 'the service').message).toBe('cannot talk to the service: odd')
  })

  it('is told for what it is where the connection was cut before it was encrypted', () => {
    const message = 'Client network socket disconnected before secure TLS connection was established'
    expect(asNetworkFailure(coded('ECONNRESET', message), 'the service').message).toBe(
      'cannot talk to the service: the connection was cut before it was encrypted; does it speak TLS there?',
    )
  })
})
