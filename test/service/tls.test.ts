import { describe, expect, it } from 'vitest'
import { runBin, startBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { json } from '../support/servers/server.ts'

const key = 'canary-key-0123456789'
const context = { path: '/v1/domains', method: 'GET', requestId: 'req-1' }

type Kind = { days?: number; isSelfSigned?: boolean; minVersion?: 'TLSv1'; maxVersion?: 'TLSv1.1' }

/** A service behind TLS with a certificate for `host`, and a command against it at 127.0.0.1. */
async function secured(host: string, { days, isSelfSigned, ...tls }: Kind = {}) {
  const folder = temporaryFolder()
  const authority = makeAuthority(folder)
  const certificate = authority.issue(host, {
    ...(days === undefined ? {} : { days }),
    isSelfSigned: isSelfSigned === true,
  })
  const ciphers = tls.maxVersion ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}
  const { port, received } = await serveSecurely({ ...certificate, ...tls, ...ciphers }, (_, response) =>
    json(response, 200, { items: [], context }),
  )
  const run = (args: string[], env: Record<string, string> = {}) =>
    runBin(args, { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: `https://127.0.0.1:${port}`, ...env })
  return { run, received, authority: authority.file }
}

describe.skipIf(!hasOpenssl)('a private certificate authority', () => {
  it('is trusted when NODE_EXTRA_CA_CERTS names its file', async () => {
    const { run, authority } = await secured('127.0.0.1')
    const { exitCode, stdout, stderr } = await run(['domains', 'list', '--json'], {
      NODE_EXTRA_CA_CERTS: authority,
    })
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '[]', stderr: '' })
  })

  it('is not trusted otherwise, and the message says how to trust it', async () => {
    const { run, received } = await secured('127.0.0.1')
    const { exitCode, stdout, stderr } = await run(['domains', 'list', '--json'])
    expect({ exitCode, stdout, received }).toEqual({ exitCode: 8, stdout: '', received: [] })
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'certificate', exitCode: 8 })
    expect(stderr).toMatch(/does not trust.*NODE_EXTRA_CA_CERTS/)
  })
})

describe.skipIf(!hasOpenssl)('a certificate that is not in order', () => {
  it.each<[string, string, Kind, RegExp, RegExp]>(
    share(
      [
        ['for another host', 'other.example', {}, /for another host/, /Check the host/],
        ['that has expired', '127.0.0.1', { days: -1 }, /has expired/, /renew/],
        ['that is self-signed', '127.0.0.1', { isSelfSigned: true }, /self-signed/, /NODE_EXTRA_CA_CERTS/],
      ],
      3,
    ),
  )('%s is told in one line, at once, with what to do', async (_, host, kind, words, hint) => {
    const { run, received, authority } = await secured(host, kind)
    const { exitCode, stderr } = await run(['domains', 'list'], { NODE_EXTRA_CA_CERTS: authority })
    expect({ exitCode, received }).toEqual({ exitCode: 8, received: [] })
    const [line, next, ...rest] = stderr.split('\n')
    expect(line).toMatch(words)
    expect(next).toMatch(hint)
    expect(rest).toEqual([])
  })

  it('says so when no version of TLS is common to both', async () => {
    const { run, authority } = await secured('127.0.0.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })
    const { exitCode, stderr } = await run(['domains', 'list'], { NODE_EXTRA_CA_CERTS: authority })
    expect(exitCode).toBe(8)
    expect(stderr).toMatch(/no TLS connection is possible \(ERR_SSL_/)
  })
})

describe('an address of the wrong scheme', () => {
  it('is told when https meets a server without TLS', async () => {
    const says = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'
    const { port } = await faultyServer({ when: 1, says })
    const { exitCode, stderr } = await runBin(['domains', 'list'], {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: `https://127.0.0.1:${port}`,
    })
    expect(exitCode).toBe(8)
    expect(stderr).toMatch(/does not speak TLS there; is the address http and not https\?/)
    expect(stderr).not.toMatch(/openssl|ssl3_/)
  })
})

describe.skipIf(process.platform === 'win32')('an interrupt', () => {
  it('ends a command that is still connecting, and its process', async () => {
    // It takes the connection and never answers the greeting of TLS.
    const { port, met } = await faultyServer({ when: 1, does: 'hang' })
    const child = startBin(['domains', 'list'], {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: `https://127.0.0.1:${port}`,
    })
    await expect.poll(() => met.length).toBe(1)
    child.kill('SIGINT')
    const { exitCode, stderr } = await child
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: interrupted' })
  })
})
