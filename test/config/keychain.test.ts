import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { startBin } from '../support/machine/bin.ts'
import { hasSecretService, hasSilentDialog, secretService, silentBus } from '../support/machine/keychain.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { withoutColours } from '../support/machine/terminal.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'canary-in-the-keychain-0123456789'
const address = 'https://api.example.com'
const setUp = ['profile', 'setup', 'work', '--api-key-file', '-', '--no-verify', '--base-url']
const configIn = (home: string) => join(home, '.config/pubctl/config.json')
const storedIn = (home: string) => JSON.parse(readFileSync(configIn(home), 'utf8'))

/** Writes a configuration whose current profile, `work`, has its key in the keychain, or where `profile` says. */
function furnish(home: string, profile: Record<string, unknown> = { keychain: '0123456789abcdef' }): void {
  mkdirSync(join(home, '.config/pubctl'), { recursive: true, mode: 0o700 })
  const config = { current: 'work', profiles: { work: { baseUrl: address, ...profile } } }
  writeFileSync(configIn(home), JSON.stringify(config), { mode: 0o600 })
}

/** Elsewhere no bus leads to the keychain. */
const isLinux = process.platform === 'linux'

describe.skipIf(!isLinux)('a secret service that never answers', () => {
  it('leaves the key in the file, which is said, and does not keep the program', async () => {
    const bus = await silentBus()
    const home = temporaryFolder()
    const setup = startBin([...setUp, address], { HOME: home, ...bus.env }, key)
    await bus.connected
    for (const facts of factsOfEverything(String(setup.pid))) expect(facts).not.toContain(key)
    const { exitCode, stdout, stderr } = await setup
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(
        /^The profile .*\nIts key is kept in config\.json there, .* no secret service answered within 3 seconds\.$/,
      ),
    })
    expect(stdout).toMatch(/\tfile$/)
    expect(stdout + stderr).not.toContain(key)
    expect(storedIn(home).profiles.work).toEqual({ baseUrl: address, apiKey: key })
    expect(statSync(configIn(home)).mode & 0o777).toBe(0o600)
    await until(() => bus.open === 0)
  })

  it.runIf(isSlow)('is a failure for a profile whose key is there, and says what to do', async () => {
    const { home, run } = machine((await silentBus()).env)
    furnish(home)
    const { code, out, err } = await run(['domains', 'list', '--json'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(JSON.parse(err).error).toMatchObject({
      code: 'keychain_unavailable',
      exitCode: 3,
      message: expect.stringMatching(/"work".*no secret service answered within 3 seconds$/),
      hint: expect.stringMatching(/--api-key-file.*PUBCTL_API_KEY.*profile setup work/),
    })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('lets itself be ended by %s, and leaves no process', async (signal, code) => {
    const bus = await silentBus()
    const home = temporaryFolder()
    furnish(home)
    const listing = startBin(['domains', 'list'], { HOME: home, ...bus.env })
    await bus.connected
    listing.kill(signal)
    expect((await listing).exitCode).toBe(code)
    await until(() => bus.open === 0)
  })

  it('is not blamed for what a terminal ends, of which the program hears last', async () => {
    const bus = await silentBus()
    const home = temporaryFolder()
    furnish(home)
    const listing = startBin(['domains', 'list'], { HOME: home, ...bus.env })
    await bus.connected
    for (const child of childrenOf(String(listing.pid))) process.kill(Number(child), 'SIGINT')
    const { exitCode, stderr } = await listing
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: interrupted' })
  })

  it('lets itself be ended by Ctrl-C', async () => {
    const bus = await silentBus()
    const { home } = machine()
    furnish(home)
    const listing = atTerminal('pubctl domains list; echo "ended $?"', { home, env: bus.env })
    await bus.connected
    listing.type('\u0003')
    expect(withoutColours((await listing.ended()).text)).toMatch(/error: interrupted\nended 130\n$/)
    await until(() => bus.open === 0)
  })

  it.runIf(isSlow)('is only warned of when a profile whose key is there is removed', async () => {
    const { home, run } = machine((await silentBus()).env)
    furnish(home)
    const { code, err } = await run(['profile', 'remove', 'work', '--yes'])
    expect(code).toBe(0)
    expect(err).toMatch(
      /^warning: a key .* is left in the keychain, since no secret .*0123456789abcdef in its name\n/,
    )
    expect(storedIn(home).profiles).toEqual({})
  })
})

describe.skipIf(!isLinux)('the keychain is left alone', () => {
  const list = ['domains', 'list']
  const other = ['--base-url', address]

  const cases: [
    what: string,
    args: string[],
    env?: Record<string, string>,
    profile?: Record<string, unknown>,
  ][] = [
    ['when a flag gives the key', [...list, '--api-key-file', '-']],
    ['when the environment gives the key', list, { PUBCTL_API_KEY: key }],
    ['when a command gives the key', list, {}, { keyCommand: `echo ${key}` }],
    ['when the file gives the key', list, {}, { apiKey: key }],
    ['when the key would go elsewhere', [...list, '--base-url', 'http://127.0.0.1:9']],
    ['by a dry run', ['domains', 'create', 'reader.example.org', '--dry-run']],
    ['by a dry run of a setup', [...setUp, address, '--dry-run']],
    [
      'by a setup with a command',
      [...setUp.slice(0, 3), '--no-verify', ...other, '--key-command', 'x'],
      {},
      {},
    ],
    ['by profile list', ['profile', 'list', '--json']],
    ['by profile show', ['profile', 'show', '--json']],
    ['by profile use', ['profile', 'use', 'work']],
    ['by a dry run of a removal', ['profile', 'remove', 'work', '--dry-run']],
    ['by what needs no key', ['sandbox', 'status']],
    ['by completing', ['__complete', 'domains', 'get', '']],
    ['by the sandbox', ['--profile', 'sandbox', 'whoami']],
    ['when PUBCTL_KEYCHAIN is off', list, { PUBCTL_KEYCHAIN: 'off' }],
  ]
  it.each(share(cases, 4))('%s', async (_, args, env = {}, profile) => {
    const bus = await silentBus()
    const { home, run } = machine({ ...bus.env, ...env })
    const { url } = await serve((_, response) => json(response, 200, { items: [] }))
    furnish(home, { baseUrl: url, ...(profile ?? { keychain: '0123456789abcdef' }) })
    await run(args, { stdin: key })
    expect(bus.connections).toBe(0)
  })

  it.runIf(isSlow)('and not when its key is needed', async () => {
    const bus = await silentBus()
    const { home, run } = machine(bus.env)
    furnish(home)
    expect((await run(list)).code).toBe(3)
    expect(bus.connections).toBe(1)
  })
})

describe('without a keychain, a key stays in the file, and pubctl says why', () => {
  const withoutService: [why: string, env: Record<string, string>][] = [
    ['no secret service answers', { PUBCTL_KEYCHAIN: 'on', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/dev/null' }],
    ['no secret service answers', { PUBCTL_KEYCHAIN: 'on' }],
  ]
  it.each([
    ['PUBCTL_KEYCHAIN is off', { PUBCTL_KEYCHAIN: 'off' }] as const,
    ...(isLinux ? withoutService : []),
  ])('%s', async (why, env) => {
    const { home, run } = machine(env)
    const { code, out, err } = await run([...setUp, address], { stdin: key })
    expect(code).toBe(0)
    expect(out).toMatch(/\tfile\n$/)
    expect(err).toContain(`kept in config.json there, which only you can read, since ${why}.\n`)
    expect(storedIn(home).profiles.work).toEqual({ baseUrl: address, apiKey: key })
  })

  it('its package is not installed', async () => {
    const [home, prefix] = [temporaryFolder(), temporaryFolder()]
    const root = join(import.meta.dirname, '../..')
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(root, part), join(prefix, part), { recursive: true })
    const run = (args: string[]) =>
      execa(process.execPath, [join(prefix, 'bin/pubctl.js'), ...args], {
        env: { HOME: home },
        extendEnv: false,
        reject: false,
        input: key,
      })
    const { exitCode, stderr } = await run([...setUp, address])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(
      /kept in config\.json there, .* since @napi-rs\/keyring is not installed for \S+\.$/,
    )
    furnish(home)
    const { exitCode: code, stderr: error } = await run(['domains', 'list'])
    expect(code).toBe(3)
    expect(error).toMatch(/^error: the key of .*: @napi-rs\/keyring is not installed for \S+\n {2}Unlock/)
  })

  it('a profile whose key is there has none while PUBCTL_KEYCHAIN is off', async () => {
    const { home, run } = machine()
    furnish(home)
    const { code, err } = await run(['doctor', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(err).error.message).toMatch(/PUBCTL_KEYCHAIN is off$/)
  })

  it('and PUBCTL_KEYCHAIN is nothing but on or off', async () => {
    const { home, run } = machine({ PUBCTL_KEYCHAIN: 'no' })
    const { code, err } = await run([...setUp, address], { stdin: key })
    expect(code).toBe(2)
    expect(err).toMatch(/^error: PUBCTL_KEYCHAIN is neither on nor off\n/)
    expect(existsSync(configIn(home))).toBe(false)
  })
})

describe.skipIf(!hasSecretService)('with a secret service', () => {
  /** A machine with a keychain of its own, and a service that takes note of the keys it is given. */
  async function desk() {
    const service = await secretService()
    const { url, received } = await serve((_, response) =>
      json(response, 200, { items: [], nextToken: null, context: {} }),
    )
    const given = () => received.map(({ headers }) => headers.authorization)
    return { ...service, ...machine(service.env), url, given }
  }

  it('the key is kept there, used from there, and shown nowhere', async () => {
    const { run, home, url, entries, given } = await desk()
    const saved = await run([...setUp, url], { stdin: `${key}\n` })
    expect(saved.code).toBe(0)
    expect(saved.out).toMatch(/\tkeychain\n$/)
    expect(saved.err).toMatch(/ is saved in .*, and its key in the keychain\.\n$/)
    expect(readFileSync(configIn(home), 'utf8')).not.toContain(key)
    expect(entries()).toEqual([
      {
        account: expect.stringMatching(`^work in ${home}/.config/pubctl \\([0-9a-f]{16}\\)$`),
        password: key,
      },
    ])

    expect((await run(['domains', 'list', '-v'])).code).toBe(0)
    expect(given()).toEqual([`Bearer ${key}`])
    const me = await run(['whoami', '--json'])
    expect(JSON.parse(me.out)).toMatchObject({ keyFrom: 'keychain', key: 'cana****6789' })
    const doctor = await run(['doctor'])
    expect(doctor.out).toContain('profile work, key from the keychain, address from the profile')
    expect(me.out + me.err + doctor.out + doctor.err).not.toContain(key)
    expect(JSON.parse((await run(['profile', 'show', '--json'])).out)).toMatchObject({
      key: null,
      keyStored: 'keychain',
    })
  })

  it('typed at a terminal, it is kept there as well', async () => {
    const { home, env, url, entries } = await desk()
    const setup = atTerminal(['profile', 'setup', 'work', '--base-url', url], { home, env })
    await setup.until(/key come from\?/)
    expect(setup.shown).toContain('the keychain keeps it, or else a file that only I can read')
    setup.type('\r')
    await setup.until(/The API key/)
    setup.type(`${key}\r`)
    const { code, text } = await setup.ended()
    expect(code).toBe(0)
    expect(withoutColours(text)).toMatch(/key stored +keychain/)
    expect(text).not.toContain(key)
    expect(entries().map(({ password }) => password)).toEqual([key])
  })

  it('another key takes its place, a command takes its place, and removing the profile removes it', async () => {
    const { run, url, entries, given } = await desk()
    const keys = () => entries().map(({ password }) => password)
    await run([...setUp, url], { stdin: key })
    await run([...setUp, url], { stdin: `second-${key}` })
    expect(keys()).toEqual([`second-${key}`])
    await run(['domains', 'list'])
    expect(given()).toEqual([`Bearer second-${key}`])

    const command = ['profile', 'setup', 'work', '--base-url', url, '--key-command', 'false', '--no-verify']
    const replaced = await run(command)
    expect(replaced.out).toMatch(/\tcommand\n$/)
    expect(keys()).toEqual([])

    await run([...setUp, url], { stdin: key })
    expect(keys()).toEqual([key])
    expect(await run(['profile', 'remove', 'work', '--yes'])).toMatchObject({ code: 0, err: /gone/ })
    expect(keys()).toEqual([])
  })

  it('profiles of one name in two folders have a key each, and a copied folder has none', async () => {
    const { run, home, env, url, entries, given } = await desk()
    const other = machine(env)
    await run([...setUp, url], { stdin: key })
    await other.run([...setUp, url], { stdin: `other-${key}` })
    await run(['domains', 'list'])
    await other.run(['domains', 'list'])
    expect(given()).toEqual([`Bearer ${key}`, `Bearer other-${key}`])

    const copy = machine(env)
    cpSync(join(home, '.config'), join(copy.home, '.config'), { recursive: true })
    const { code, err } = await copy.run(['domains', 'list'])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/the keychain has no such entry\n/) })
    expect((await copy.run(['profile', 'remove', 'work', '--yes'])).code).toBe(0)
    expect(entries()).toHaveLength(2)
  })

  it('no key is lost and none is left over when the profile cannot be saved', async () => {
    const { run, home, url, entries } = await desk()
    await run([...setUp, url], { stdin: key })
    const before = entries()
    const config = readFileSync(configIn(home), 'utf8')
    writeFileSync(configIn(home), '{')
    expect(await run([...setUp, url], { stdin: `second-${key}` })).toMatchObject({ code: 2 })
    expect(entries()).toEqual(before)
    writeFileSync(configIn(home), config)
    expect((await run(['domains', 'list'])).code).toBe(0)
  })

  it.skipIf(!hasSilentDialog)('a locked one is waited for, which is said, until Ctrl-C', async () => {
    const { run, home, env, url, lock, askSilently } = await desk()
    await run([...setUp, url], { stdin: key })
    await lock()
    await askSilently()
    const listing = atTerminal('pubctl domains list; echo "ended $?"', { home, env })
    await listing.until(/The keychain is waiting to be unlocked\.\r\n/)
    listing.type('\u0003')
    expect(withoutColours((await listing.ended()).text)).toMatch(/error: interrupted\nended 130\n$/)
  })

  it('a locked one that nobody unlocks is a failure, and a new key stays in the file', async () => {
    const { run, url, lock } = await desk()
    await run([...setUp, url], { stdin: key })
    await lock()
    const { code, err } = await run(['domains', 'list', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(err).error).toMatchObject({ code: 'keychain_unavailable' })
    const again = await run([...setUp.with(2, 'new'), url], { stdin: key })
    expect(again.out).toMatch(/\tfile\n$/)
    expect(again.err).toMatch(/kept in config\.json there, which only you can read, since the keychain/)
  })
})

/** Command line and environment of a process and of those that it has started, as others of the same user see them. */
function factsOfEverything(pid: string): string[] {
  return [pid, ...childrenOf(pid)].flatMap(id => [
    readIfThere(`/proc/${id}/cmdline`),
    readIfThere(`/proc/${id}/environ`),
  ])
}

function childrenOf(pid: string): string[] {
  const children = readdirSync('/proc').filter(
    id =>
      /^\d+$/.test(id) &&
      readIfThere(`/proc/${id}/stat`)
        .replace(/^.*\) /, '')
        .split(' ')[1] === pid,
  )
  expect(children).not.toEqual([])
  return children
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10)
}
