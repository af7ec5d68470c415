import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkAuthorities } from '../../src/doctor/machine.ts'
import { runBin } from '../support/machine/bin.ts'
import { machine, type Result, temporaryFolder } from '../support/machine/pubctl.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'
import { startProxy } from '../support/proxies/proxy.ts'
import { json, serve } from '../support/servers/server.ts'

interface Row {
  check: string
  status: string
  message: string
  hint: string | null
}

const key = 'canary-key-0123456789'
const context = { path: '/v1/apikeys', method: 'GET', requestId: 'req-1', authentication: { keyId: 'k1' } }
const good = { items: [{ id: 'a', keyId: 'k1', scopes: ['read', 'write'] }], context }

/** The findings that a run printed, by check. */
const rowsOf = ({ out }: Pick<Result, 'out'>): Record<string, Row> =>
  Object.fromEntries((JSON.parse(out) as Row[]).map(row => [row.check, row]))
const statusesOf = (result: Pick<Result, 'out'>): Record<string, string> =>
  Object.fromEntries(Object.values(rowsOf(result)).map(({ check, status }) => [check, status]))

/** The doctor against a server that answers so. */
async function examined(answer: Parameters<typeof serve>[0], env: Record<string, string> = {}) {
  const { url, received } = await serve(answer)
  const result = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url, ...env }).run([
    'doctor',
    '--json',
  ])
  return { ...result, received, url, rows: rowsOf(result) }
}

describe('the doctor', () => {
  it('finds the sandbox well', async () => {
    const result = await machine().sandbox(['doctor', '--json'])
    expect({ code: result.code, err: result.err }).toEqual({ code: 0, err: '' })
    expect(statusesOf(result)).toEqual({
      node: 'pass',
      configuration: 'skip',
      authorities: 'pass',
      settings: 'pass',
      address: 'pass',
      proxy: 'pass',
      dns: 'skip',
      connection: 'pass',
      tls: 'skip',
      service: 'pass',
      key: 'pass',
      // Of its example keys, one has expired and one is never used.
      keys: 'warn',
      clock: 'pass',
      store: 'pass',
    })
    expect(rowsOf(result)).toMatchObject({
      settings: { message: 'profile sandbox, key from the sandbox, address from the sandbox' },
      proxy: { message: 'none: the sandbox is on this machine' },
      store: { message: 'the sandbox keeps the files itself' },
    })
    for (const row of JSON.parse(result.out))
      expect(Object.keys(row)).toEqual(['check', 'status', 'message', 'hint'])
  })

  it('finds a service well by one GET, and says what it did not check', async () => {
    const { code, err, rows, received, url } = await examined((_, response) => json(response, 200, good))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/apikeys'])
    expect(rows['address']?.message).toBe(url)
    expect(rows['settings']?.message).toBe(
      'no profile, key from the environment, address from the environment',
    )
    expect(rows['key']).toMatchObject({
      status: 'pass',
      message: 'cana****6789 is accepted, may read, write',
    })
    expect(rows['store']).toEqual({
      ...{ check: 'store', status: 'skip' },
      message: 'not checked: its address is known only once an upload session exists',
      hint: 'Make one and check it: pubctl uploads create book.epub --json | pubctl doctor --session -',
    })
  })

  it('warns of keys that end soon or that nobody uses, and of its own', async () => {
    const now = Date.now()
    const daysAgo = (days: number) => new Date(now - days * 24 * 3_600_000).toISOString()
    const fresh = {
      status: 'active',
      created: daysAgo(400),
      lastUsed: daysAgo(1),
      expires: null,
      revoked: null,
    }
    const own = { ...fresh, id: 'a', keyId: 'k1', scopes: ['read'], expires: daysAgo(-29) }
    const examine = async (items: readonly object[]) =>
      (await examined((_, response) => json(response, 200, { items, context }))).rows
    const rows = await examine([own, { ...fresh, id: 'b', name: 'Old robot', lastUsed: daysAgo(91) }])
    expect(rows['key']).toEqual({
      ...{ check: 'key', status: 'warn' },
      message: `cana****6789 is accepted, may read, until ${daysAgo(-29).slice(0, 10)}`,
      hint: 'Make another key and store it before that day: pubctl profile setup',
    })
    expect(rows['keys']).toEqual({
      ...{ check: 'keys', status: 'warn' },
      message: `an API key has not been used for 90 days: Old robot (b, last on ${daysAgo(91).slice(0, 10)})`,
      hint: 'What to do about each: pubctl apikeys list',
    })
    const fine = await examine([
      { ...own, expires: daysAgo(-31) },
      { ...fresh, id: 'b', lastUsed: daysAgo(89) },
    ])
    expect({ key: fine['key']?.status, keys: fine['keys'] }).toEqual({ key: 'pass', keys: undefined })
  })

  it('checks the store that a session names, shows its origin alone, and sends it nothing', async () => {
    const store = await serve((_, response) => response.writeHead(200).end())
    const run = (uploadUrl: string) =>
      machine().run(['--profile', 'sandbox', 'doctor', '--json', '--session', '-'], {
        stdin: JSON.stringify({ result: { uploadUrl, requiredHeaders: {} } }),
      })
    const up = await run(`${store.url}/books/1?X-Amz-Signature=hidden`)
    expect({ code: up.code, received: store.received }).toEqual({ code: 0, received: [] })
    expect(rowsOf(up)['store']).toMatchObject({ status: 'pass', message: expect.stringContaining(store.url) })
    const down = await run('http://127.0.0.1:9/books/1?X-Amz-Signature=hidden')
    expect(down.code).toBe(8)
    expect(rowsOf(down)['store']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/the upload store at http:\/\/127\.0\.0\.1:9: nothing listens/),
    })
    expect(up.out + down.out + down.err).not.toContain('hidden')
    expect(JSON.parse((await run('file:///etc/passwd')).err).error).toMatchObject({
      message: 'the upload address of the session is neither https nor http',
      exitCode: 2,
    })
    expect((await run('xhttp://127.0.0.1')).code).toBe(2)
  })

  it('says where the key and the address come from', async () => {
    const { url } = await serve((_, response) => json(response, 200, good))
    const { run } = machine()
    const setup = ['profile', 'setup', 'work', '--no-verify', '--base-url', url]
    await run([...setup, '--key-command', `echo ${key}`])
    const settings = async (args: readonly string[], options: object = {}) =>
      rowsOf(await run(['doctor', '--json', ...args], options))['settings']?.message
    expect(await settings([])).toBe(
      "profile work, key from the profile's key command, address from the profile",
    )
    expect(await settings(['--api-key-file', '-', '--base-url', url], { stdin: key })).toMatch(
      /, key from a flag, address from a flag$/,
    )
    await run([...setup, '--api-key-file', '-'], { stdin: key })
    expect(await settings([])).toBe('profile work, key from the profile, address from the profile')
  })

  it('says that the sandbox has nowhere to keep its data', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'not a folder')
    const result = await machine({ PUBCTL_DATA_DIR: file }).sandbox(['doctor', '--json'])
    expect(result.code).toBe(2)
    expect(rowsOf(result)['sandbox']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(file),
    })
  })

  it('says how to begin where nothing is set up', async () => {
    const result = await machine().run(['doctor', '--json'])
    expect(result.code).toBe(3)
    expect(rowsOf(result)).toMatchObject({
      node: { status: 'pass' },
      settings: { status: 'fail', hint: expect.stringMatching(/profile setup.*--profile sandbox/) },
      service: { status: 'skip', message: 'no address is known' },
    })
    expect(JSON.parse(result.err).error).toMatchObject({
      ...{ code: 'no_api_key', exitCode: 3, hint: rowsOf(result)['settings']?.hint },
      message: `1 of 6 checks failed; the first: ${rowsOf(result)['settings']?.message}`,
    })
  })

  it('follows the way to an address for which there is no key yet', async () => {
    const { url, received } = await serve((_, response) => json(response, 200, good))
    const result = await machine().run(['doctor', '--json', '--base-url', url])
    expect(result.code).toBe(3)
    expect(rowsOf(result)).toMatchObject({ settings: { status: 'fail' }, connection: { status: 'pass' } })
    expect(received).toEqual([])
  })

  it('tells a refused key from one that may not read', async () => {
    const answer = (status: number, error: string) =>
      examined((_, response) => json(response, status, { error, message: 'No.', context }))
    const refused = await answer(401, 'AUTHENTICATION_ERROR')
    expect(refused.code).toBe(3)
    expect(refused.rows['key']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/does not accept/),
    })
    const limited = await answer(403, 'ACCOUNT_RESTRICTED')
    expect(limited.code).toBe(4)
    expect(limited.rows['key']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/does not let/),
    })
    for (const { rows } of [refused, limited])
      expect(rows).toMatchObject({ service: { status: 'pass' }, clock: { status: 'pass' } })
  })

  it.each([
    ['a web page', 200, '<html>Log in</html>', /a web page/],
    ['a fault', 500, '{}', /answered 500/],
    ['a page that is not there', 404, 'Not found', /answered 404/],
  ])(
    'says that the service does not answer as it should when it sends %s',
    async (_, status, body, words) => {
      const { code, rows } = await examined((_, response) => response.writeHead(status).end(body))
      expect(code).not.toBe(0)
      expect(rows['service']).toMatchObject({ status: 'fail', message: expect.stringMatching(words) })
      expect(rows['key']?.status).toBe('skip')
    },
  )

  it.each([
    [-3600, /ahead of/],
    [+3600, /behind/],
  ])('warns of a clock that differs by %d seconds', async (seconds, words) => {
    const { code, rows } = await examined((_, response) =>
      json(response, 200, good, { date: new Date(Date.now() + seconds * 1000).toUTCString() }),
    )
    expect(code).toBe(0)
    expect(rows['clock']).toMatchObject({ status: 'warn', message: expect.stringMatching(words) })
    expect(rows['clock']?.message).toMatch(/ (3599|3600|3601) s /)
  })

  it('goes no further than the way goes', async () => {
    const down = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'http://127.0.0.1:9' }).run([
      'doctor',
      '--json',
    ])
    expect(down.code).toBe(8)
    expect(statusesOf(down)).toMatchObject({ connection: 'fail' })
    expect(rowsOf(down)['service']).toBeUndefined()
    const nowhere = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'https://nowhere.invalid' }).run([
      'doctor',
      '--json',
    ])
    expect(nowhere.code).toBe(8)
    expect(statusesOf(nowhere)).toMatchObject({ dns: 'fail' })
    expect(rowsOf(nowhere)['connection']).toBeUndefined()
  })

  it.each([
    [' key', 'at its start'],
    ['key\n', 'at its end'],
    ['canary\u00a0tweet', 'after 6 characters'],
  ])('says where the key %j has what no key has', async (value, where) => {
    const result = await machine({ PUBCTL_API_KEY: value, PUBCTL_BASE_URL: 'http://127.0.0.1:9' }).run([
      'doctor',
      '--json',
    ])
    expect(result.code).toBe(2)
    expect(rowsOf(result)['settings']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(where),
    })
    expect(result.out + result.err).not.toMatch(/canary|tweet/)
  })

  it.skipIf(process.platform === 'win32')(
    'warns of a configuration that others can read, and leaves it',
    async () => {
      const { run, home } = machine()
      const folder = join(home, '.config/pubctl')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, 'config.json')
      writeFileSync(file, JSON.stringify({ profiles: {} }))
      chmodSync(file, 0o644)
      const row = rowsOf(await run(['doctor', '--json']))['configuration']
      expect(row).toMatchObject({
        status: 'warn',
        message: expect.stringContaining('0644'),
        hint: `Run: chmod 0600 ${file}`,
      })
      expect(statSync(file).mode & 0o777).toBe(0o644)
    },
  )

  it('says that a configuration is broken, and shows nothing of it', async () => {
    const { run, home } = machine()
    const folder = join(home, '.config/pubctl')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'config.json'), `{"profiles": ${key}`, { mode: 0o600 })
    const result = await run(['doctor', '--json'])
    expect(result.code).toBe(2)
    expect(rowsOf(result)['configuration']).toMatchObject({ status: 'fail' })
    expect(result.out + result.err).not.toContain(key)
  })

  it('never shows the key, however it is asked', async () => {
    const { url } = await serve((_, response) => json(response, 200, good))
    for (const args of [['doctor'], ['doctor', '--verbose'], ['doctor', '-o', 'csv'], ['doctor', '--json']]) {
      const { out, err } = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }).run(args, {
        columns: 80,
      })
      expect(out).toContain('cana****6789')
      expect(out + err).not.toContain(key)
    }
  })

  it('gives a person a line a check, and what to do below it', async () => {
    const { out, err, code } = await machine().run(['doctor', '--color', 'never'], { columns: 100 })
    expect(code).toBe(3)
    expect(out).toMatch(/^pass {2}node {11}Node\.js \d/)
    expect(out).toMatch(/^fail {2}settings {7}there is no API key to use\n {21}Set a profile up/m)
    expect(err).toMatch(/1 of 6 checks failed/)
  })
})

describe('the doctor on proxies', () => {
  it('names the proxy in force without its login, and looks up the proxy only', async () => {
    const { url } = await serve((_, response) => json(response, 200, good))
    const login = `Basic ${Buffer.from('user:hidden').toString('base64')}`
    const proxy = await startProxy({ authorization: login, leadsTo: Number(new URL(url).port) })
    const { run } = machine({ HTTP_PROXY: `http://user:hidden@127.0.0.1:${proxy.port}` })
    const setup = ['--base-url', 'http://api.example', '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    const result = await run(['doctor', '--profile', 'lan', '--json'])
    expect(result.code).toBe(0)
    expect(rowsOf(result)['proxy']).toMatchObject({
      status: 'pass',
      message: `${proxy.url}, from HTTP_PROXY, with a user name and a password`,
    })
    expect(result.out + result.err).not.toContain('hidden')
  })

  it.each(['http', 'https'])('blames the proxy that is not there for an %s address', async scheme => {
    const { run } = machine({ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' })
    const setup = [
      '--base-url',
      `${scheme}://api.example`,
      '--allow-http',
      '--no-verify',
      '--api-key-file',
      '-',
    ]
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    const result = await run(['doctor', '--profile', 'lan', '--json'])
    expect(result.code).toBe(8)
    expect(rowsOf(result)['connection']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/the proxy at http:\/\/127\.0\.0\.1:9 .*nothing listens/),
    })
  })

  it.each([
    [
      { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'api.invalid' },
      'pass',
      /NO_PROXY covers.*"api\.invalid"/,
    ],
    [{ HTTPS_PROXY: 'http://127.0.0.1:9' }, 'pass', /HTTPS_PROXY is for https addresses only/],
    [{ HTTP_PROXY: 'socks5://u:hidden@127.0.0.1:9' }, 'fail', /socks5/],
  ])('explains %j', async (env, status, words) => {
    const { run } = machine(env)
    const setup = ['--base-url', 'http://api.invalid', '--allow-http', '--no-verify', '--api-key-file', '-']
    await run(['profile', 'setup', 'lan', ...setup], { stdin: key })
    const result = await run(['doctor', '--profile', 'lan', '--json'])
    expect(rowsOf(result)['proxy']).toMatchObject({ status, message: expect.stringMatching(words) })
    expect(result.code).toBe(status === 'fail' ? 2 : 8)
    expect(result.out + result.err).not.toContain('hidden')
  })

  it('says that no proxy stands before an address of this machine', async () => {
    const { code, rows } = await examined((_, response) => json(response, 200, good), {
      HTTP_PROXY: 'http://127.0.0.1:9',
    })
    expect({ code, proxy: rows['proxy']?.message }).toEqual({
      code: 0,
      proxy: 'none: the address is on this machine',
    })
  })
})

describe('the doctor on certificate authorities', () => {
  const now = Date.now()

  it('warns of a file that is not there, not PEM, or broken', async () => {
    const folder = temporaryFolder()
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    for (const [path, words] of [
      [join(folder, 'none.pem'), /cannot be read \(ENOENT\)/],
      [folder, /is no file of certificates/],
      [file('text.pem', 'hello'), /holds no PEM certificate/],
      [
        file('bad.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
        /broken certificate \(number 1 of 1\)/,
      ],
    ] as const) {
      const { status, message } = await checkAuthorities({ NODE_EXTRA_CA_CERTS: path }, now)
      expect(status).toBe('warn')
      expect(message).toMatch(words)
    }
  })

  it('warns when certificates are not checked at all', async () => {
    const { status, message } = await checkAuthorities({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, now)
    expect({ status, message }).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/anybody on the network/),
    })
  })

  it.skipIf(!hasOpenssl)('counts those that are trusted, and says when all have expired', async () => {
    const { file } = makeAuthority(temporaryFolder())
    const env = { NODE_EXTRA_CA_CERTS: file }
    expect(await checkAuthorities(env, now)).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/and 1 more/),
    })
    expect(await checkAuthorities(env, now + 7 * 86_400_000)).toMatchObject({ status: 'warn' })
  })

  it.skipIf(!hasOpenssl)(
    'shows the protocol and the end of the certificate of an https service',
    async () => {
      const authority = makeAuthority(temporaryFolder())
      const run = async (days: number) => {
        const { port } = await serveSecurely(authority.issue('localhost', { days }), (_, response) =>
          json(response, 200, good),
        )
        const { stdout, stderr, exitCode } = await runBin(['doctor', '--json'], {
          PUBCTL_API_KEY: key,
          PUBCTL_BASE_URL: `https://localhost:${port}`,
          NODE_EXTRA_CA_CERTS: authority.file,
        })
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
        return rowsOf({ out: stdout })['tls']
      }
      expect(await run(2)).toMatchObject({
        status: 'warn',
        message: expect.stringMatching(/^TLSv1\.\d, certificate valid until \d{4}-/),
      })
      expect(await run(60)).toMatchObject({ status: 'pass' })
    },
  )
})
