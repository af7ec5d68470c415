import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { hasOpenssl, makeAuthority } from '../support/proxies/authority.ts'
import { usePostgres } from '../support/servers/postgres.ts'

// 0.0.0.0 leads to this machine as well, but is no address of loopback, so it counts as a host elsewhere.
const elsewhere = '0.0.0.0'

const folder = mkdtempSync(join(tmpdir(), 'pubctl-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const authority = hasOpenssl ? makeAuthority(folder) : undefined

const plain = usePostgres()
const postgres = usePostgres(hasOpenssl, () => ({
  certificate: (authority as NonNullable<typeof authority>).issue(elsewhere),
  access: [
    'local all all trust',
    'host all postgres 127.0.0.1/32 trust',
    'hostssl all secret 127.0.0.1/32 trust',
    'host all clear 127.0.0.1/32 password',
  ],
}))

beforeAll(async () => {
  if (hasOpenssl)
    await postgres.query(
      await postgres.database(),
      `CREATE ROLE secret SUPERUSER LOGIN; CREATE ROLE clear SUPERUSER LOGIN PASSWORD 'hunter2'`,
    )
})

/** How `queue status` ends with this address, and what it says if that is an error. */
async function statusOf(url: string, env: Record<string, string> = {}, home = temporaryFolder()) {
  const { run } = machine({ PUBCTL_DATABASE_URL: url, ...env }, home)
  const { code, err } = await run(['queue', 'status', '--json'])
  return { code, error: code === 0 ? undefined : JSON.parse(err).error }
}

const at = (url: string, host: string, more = '', user = 'postgres'): string =>
  url.replace('postgres@127.0.0.1', `${user}@${host}`) + more

describe('a database on another host', () => {
  it.runIf(isSlow)('that offers no TLS is refused, unless the address says sslmode=disable', async () => {
    const url = at(plain.tcp(await plain.database()), elsewhere)
    for (const more of ['', '?sslmode=verify-full', '?sslmode=require', '?sslrootcert=system'])
      expect(await statusOf(url + more)).toMatchObject({
        code: 2,
        error: {
          ...{ code: 'database_no_tls', hint: expect.stringContaining('sslmode=disable') },
          message: 'the server of the database offers no TLS, so the password and all steps could be read',
        },
      })
    for (const mode of ['allow', 'prefer'])
      expect(await statusOf(`${url}?sslmode=${mode}`)).toMatchObject({
        code: 2,
        error: { code: 'bad_database_url', message: expect.stringContaining('may go unencrypted') },
      })
    expect((await statusOf(`${url}?sslmode=disable`)).code).toBe(0)
    expect((await statusOf(url, { PGSSLMODE: 'disable' })).code).toBe(0)
  })

  describe.runIf(hasOpenssl)('with TLS', () => {
    const secret = async (host: string) => at(postgres.tcp(await postgres.database()), host, '', 'secret')
    const file = () => encodeURIComponent(authority?.file as string)

    it.runIf(isSlow)('is reached by TLS without a word, where its authority is known', async () => {
      const url = await secret(elsewhere)
      expect((await statusOf(url, { PGSSLROOTCERT: authority?.file as string })).code).toBe(0)
      expect((await statusOf(`${url}?sslrootcert=${file()}`)).code).toBe(0)
      const home = temporaryFolder()
      mkdirSync(join(home, '.postgresql'))
      writeFileSync(join(home, '.postgresql', 'root.crt'), readFileSync(authority?.file as string))
      expect((await statusOf(url, {}, home)).code).toBe(0)
      // The server lets this user in by TLS alone.
      expect((await statusOf(`${url}?sslmode=disable`)).error.code).toBe('database_refused')
    })

    it('is refused where its authority is not known', async () => {
      const url = await secret(elsewhere)
      for (const more of ['', '?sslmode=verify-full', '?sslrootcert=system'])
        expect(await statusOf(url + more)).toMatchObject({
          code: 8,
          error: { code: 'database_certificate', hint: expect.stringContaining('sslrootcert=') },
        })
      expect((await statusOf(`${url}?sslmode=require`)).code).toBe(0)
    })

    it('is refused where the certificate is for another host, unless only its authority counts', async () => {
      const url = await secret('127.0.0.1')
      const refused = await statusOf(`${url}?sslmode=verify-full&sslrootcert=${file()}`)
      expect(refused).toMatchObject({ code: 8, error: { code: 'database_certificate' } })
      expect((await statusOf(`${url}?sslmode=verify-ca&sslrootcert=${file()}`)).code).toBe(0)
      const other = makeAuthority(temporaryFolder()).file
      for (const mode of ['require', 'verify-ca'])
        expect(
          (await statusOf(`${url}?sslmode=${mode}&sslrootcert=${encodeURIComponent(other)}`)).error.code,
        ).toBe('database_certificate')
    })

    it('is checked although NODE_TLS_REJECT_UNAUTHORIZED says otherwise', async () => {
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
      onTestFinished(() => {
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      })
      expect((await statusOf(await secret(elsewhere))).error.code).toBe('database_certificate')
    })

    it.runIf(isSlow)('gets a password in clear by TLS alone', async () => {
      const url = await postgres.database()
      const address = at(postgres.tcp(url), elsewhere, '', 'clear:hunter2')
      expect((await statusOf(`${address}?sslrootcert=${file()}`)).code).toBe(0)
      expect((await statusOf(`${address}?sslmode=disable`)).error.code).toBe('database_clear_password')
    })
  })
})

describe('a server that asks for the password in clear', () => {
  it.each(['127.0.0.1', elsewhere])('is left without it, at %s', async host => {
    const { port, received } = await askingServer()
    const url = `postgres://me:hunter2@${host}:${port}/x?sslmode=disable`
    expect(await statusOf(url)).toMatchObject({
      code: 2,
      error: {
        ...{ code: 'database_clear_password', hint: expect.stringContaining('It was not sent') },
        message: 'the server of the database asks for the password in clear, without TLS',
      },
    })
    expect(Buffer.concat(received).toString('latin1')).toContain('user')
    expect(Buffer.concat(received).toString('latin1')).not.toContain('hunter2')
  })
})

describe('what an address says of TLS', () => {
  it.each([
    ['sslmode=on', 'has sslmode=on, which there is not'],
    ['ssl=true', 'has a parameter that PostgreSQL does not know'],
    ['sslmode=no-verify', 'has sslmode=no-verify, which there is not'],
    ['sslmode=verify-ca', 'has sslmode=verify-ca and no sslrootcert'],
    ['sslmode=verify-ca&sslrootcert=system', 'has sslmode=verify-ca with sslrootcert=system'],
  ])('is refused before anything is asked: %s', async (query, message) => {
    expect(await statusOf(`postgres://me@127.0.0.1:1/x?${query}`)).toMatchObject({
      code: 2,
      error: {
        code: 'bad_database_url',
        message: expect.stringContaining(message),
        hint: expect.any(String),
      },
    })
  })

  it('is refused where no authority is in the file', async () => {
    const path = join(temporaryFolder(), 'root.crt')
    const url = `postgres://me@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=${encodeURIComponent(path)}`
    expect((await statusOf(url)).error.code).toBe('file_unreadable')
    writeFileSync(path, 'no certificate')
    expect((await statusOf(url)).error).toMatchObject({
      code: 'file_unreadable',
      message: `${path} has no PEM certificate in it, which sslrootcert should name`,
    })
  })
})

/** Speaks so much of PostgreSQL's protocol as it takes to ask for a password in clear. */
async function askingServer() {
  const received: Buffer[] = []
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      received.push(chunk)
      // AuthenticationCleartextPassword
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received }
}
