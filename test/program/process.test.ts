import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { environment, runBin, startBin } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { type SandboxServer, startServer } from '../support/servers/sandbox-server.ts'
import { json, serve } from '../support/servers/server.ts'

/** The program as a process, in an empty home and with nothing else in its environment. */
function process(home = temporaryFolder(), env: Record<string, string> = {}) {
  const { PATH = '' } = globalThis.process.env
  return {
    home,
    run: (args: readonly string[], options: { input?: string } = {}) =>
      runBin(args, { PATH, HOME: home, PUBCTL_SANDBOX_DELAY: '5ms', ...env }, options.input),
  }
}

async function book(folder: string): Promise<string> {
  const path = join(folder, 'book.epub')
  writeFileSync(path, await makeExampleEpub({ title: 'On Its Own' }))
  return path
}

describe('the process', () => {
  it('uploads a book to the sandbox from an empty home', async () => {
    const { run, home } = process()
    const { exitCode, stdout, stderr } = await run([
      '--profile',
      'sandbox',
      'publications',
      'upload',
      await book(home),
    ])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\tavailable\tuploaded\t\t\tOn Its Own$/)
    expect(stderr).toMatch(/sending/)
  })

  it.runIf(isSlow)('keeps its data in folders that only the owner can reach', async () => {
    const { run, home } = process()
    await run(['--profile', 'sandbox', 'domains', 'list'])
    expect(statSync(join(home, '.local/share/pubctl/sandbox')).mode & 0o777).toBe(0o700)
  })

  it('prints all of a long output into a pipe', async () => {
    const { run } = process()
    const { stdout } = await run(['sandbox', 'openapi'])
    expect(stdout.length).toBeGreaterThan(60_000)
    expect(JSON.parse(stdout).openapi).toMatch(/^3\.1/)
  })

  it.runIf(isSlow)(
    'prints all of it also where the system does not wait for the reader',
    async ({ skip }) => {
      const pipe = join(temporaryFolder(), 'pipe')
      if (spawnSync('mkfifo', [pipe]).status !== 0) return skip('mkfifo is not there')
      const { run } = process()
      const { stdout: expected } = await run(['sandbox', 'openapi'])
      const end = openSync(pipe, 'r+')
      const child = spawn(
        'sh',
        ['-c', 'sleep 0.2; exec "$0" "$@"', globalThis.process.execPath, bin, 'sandbox', 'openapi'],
        {
          stdio: ['ignore', end, 'inherit'],
        },
      )
      // To read from it makes it a pipe that nobody waits at, for the child as well.
      const reader = new Socket({ fd: end, readable: true, writable: false })
      let text = ''
      await once(child, 'spawn')
      await sleep(1000)
      reader.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      const [exitCode] = await once(child, 'exit')
      await expect.poll(() => text.length).toBe(expected.length + 1)
      reader.destroy()
      expect({ exitCode, text }).toEqual({ exitCode: 0, text: `${expected}\n` })
    },
  )

  it('ends quietly when the reader of its output goes away', async () => {
    const { exitCode, stderr } = await execa(
      `"${globalThis.process.execPath}" "${bin}" sandbox openapi | head -1`,
      {
        shell: true,
        reject: false,
      },
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('stops with 130 on Ctrl-C', async () => {
    const { home } = process()
    const child = spawn(
      globalThis.process.execPath,
      [bin, '-p', 'sandbox', 'publications', 'upload', await book(home)],
      {
        env: environment({ HOME: home, PUBCTL_SANDBOX_DELAY: '1h' }),
        cwd: home,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
      if (!child.killed && /upload_pending|uploaded/.test(said)) child.kill('SIGINT')
    })
    expect((await once(child, 'exit'))[0]).toBe(130)
    expect(said).not.toMatch(/ at .*js:/)
  })

  it('stops with 130 on Ctrl-Break, which only Windows has', async () => {
    const { home } = process()
    const forwarding = join(home, 'forwarding.cjs')
    writeFileSync(forwarding, "process.on('message', signal => process.emit(signal, signal))")
    const upload = ['-p', 'sandbox', 'publications', 'upload', await book(home)]
    const child = spawn(globalThis.process.execPath, ['--require', forwarding, bin, ...upload], {
      env: environment({ HOME: home, PUBCTL_SANDBOX_DELAY: '1h' }),
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let said = ''
    child.stderr?.on('data', chunk => {
      said += chunk
      if (/upload_pending|uploaded/.test(said) && child.connected) {
        child.send('SIGBREAK')
        child.disconnect()
      }
    })
    expect((await once(child, 'exit'))[0]).toBe(130)
    expect(said).toMatch(/^error: interrupted$/m)
  })

  it.runIf(isSlow)('takes one Ctrl-C for one, also once it has read a profile', async ({ skip }) => {
    if (globalThis.process.platform === 'win32') skip('there are no such signals')
    const home = temporaryFolder()
    const asked = join(home, 'asked')
    const command = `touch '${asked}'; sleep 60`
    const setUp = ['profile', 'setup', 'work', '--base-url', 'https://api.example.com', '--no-verify']
    await runBin([...setUp, '--key-command', command], { HOME: home })
    const listing = startBin(['domains', 'list'], { HOME: home })
    while (!existsSync(asked)) await sleep(10)
    listing.kill('SIGINT')
    expect(await listing).toMatchObject({ exitCode: 130, stderr: 'error: interrupted' })
  })

  it('works with stdin closed', async () => {
    const { exitCode } = await execa(
      `"${globalThis.process.execPath}" "${bin}" -p sandbox domains list <&-`,
      {
        shell: true,
        env: { HOME: temporaryFolder() },
        reject: false,
      },
    )
    expect(exitCode).toBe(0)
  })
})

describe('the sandbox as a server', () => {
  it('lets curl alone do the whole upload', async ({ skip }) => {
    const has = await execa('curl', ['--version'], { reject: false })
    if (has.exitCode !== 0) skip('curl is not on this machine')
    const folder = temporaryFolder()
    const { baseUrl, key } = await startServer(join(folder, 'data'), ['--processing-delay', '5ms'])
    const curl = async (...args: string[]) => (await execa('curl', ['-sS', '-f', ...args])).stdout
    const bearer = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json']

    const body = JSON.stringify({
      uploadRequestId: crypto.randomUUID(),
      publicationFilename: 'book.epub',
      edition: { title: 'By curl', author: ['C. Url'], type: 'EPUB' },
    })
    const created = JSON.parse(await curl(...bearer, '-d', body, `${baseUrl}/v1/publications`))
    const headers = Object.entries(created.result.requiredHeaders).flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ])
    await curl('-T', await book(folder), ...headers, created.result.uploadUrl)
    await expect
      .poll(async () => {
        const { item } = JSON.parse(await curl(...bearer, `${baseUrl}/v1/publications/${created.item.id}`))
        return item.editions[0].uploadStatus
      })
      .toBe('available')
  })

  it.runIf(isSlow)('loses nothing that was answered when it is killed', async () => {
    const folder = temporaryFolder()
    const dataDir = join(folder, 'data')
    const first = await startServer(dataDir, ['--processing-delay', '3s'])
    const env = (server: SandboxServer) => ({ PUBCTL_API_KEY: server.key, PUBCTL_BASE_URL: server.baseUrl })
    const upload = await process(folder, env(first)).run([
      'publications',
      'upload',
      await book(folder),
      '--no-wait',
      '--json',
    ])
    expect(upload.exitCode).toBe(0)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')

    const second = await startServer(dataDir, ['--processing-delay', '5ms'])
    const { publicationId } = JSON.parse(upload.stdout)
    const waited = await process(folder, env(second)).run(['publications', 'wait', publicationId, '--json'])
    expect(waited.exitCode).toBe(0)
    expect(JSON.parse(waited.stdout).editions[0]).toMatchObject({
      title: 'On Its Own',
      uploadStatus: 'available',
    })
  })

  it.runIf(isSlow)('serves several commands at once, each embedded in its own process', async () => {
    const { run, home } = process()
    const path = await book(home)
    const results = await Promise.all(
      [1, 2, 3, 4].map(n =>
        run(['-p', 'sandbox', 'publications', 'upload', path, '--again', '--title', `Book ${n}`, '--json']),
      ),
    )
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    const { stdout } = await run(['-p', 'sandbox', 'publications', 'list', '--json', '--sort', 'title'])
    expect(JSON.parse(stdout).map((each: { title: string }) => each.title)).toEqual([
      'Book 1',
      'Book 2',
      'Book 3',
      'Book 4',
    ])
  })
})

describe('the profile file', () => {
  it('holds a verified key in a folder of 0700 and a file of 0600, and shows it masked', async () => {
    const folder = temporaryFolder()
    const { baseUrl, key } = await startServer(join(folder, 'data'))
    const { run } = process(folder)
    const setup = ['profile', 'setup', 'work', '--base-url', baseUrl, '--api-key-file', '-', '--json']
    const refused = await run(setup, { input: 'a-key-that-nobody-gave-out' })
    expect(refused.exitCode).toBe(3)
    expect(existsSync(join(folder, '.config/pubctl/config.json'))).toBe(false)

    const saved = await run(setup, { input: `${key}\n` })
    expect(saved).toMatchObject({ exitCode: 0, stderr: '' })
    expect(saved.stdout).not.toContain(key)
    expect(statSync(join(folder, '.config/pubctl')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, '.config/pubctl/config.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, '.config/pubctl/config.json'), 'utf8')).toContain(key)

    const me = JSON.parse((await run(['whoami', '--json'])).stdout)
    expect(me).toMatchObject({
      profile: 'work',
      keyFrom: 'profile',
      baseUrl,
      role: 'Admin',
      scopes: ['read', 'write', 'delete'],
    })
    expect(me.key).not.toBe(key)
    expect((await run(['profile', 'show', '--json'])).stdout).not.toContain(key)
    expect((await run(['profile', 'remove', 'work', '--json'])).exitCode).toBe(9)
    expect((await run(['profile', 'remove', 'work', '--yes'])).exitCode).toBe(0)
    expect((await run(['domains', 'list'])).exitCode).toBe(3)
  })
})

describe('a command that waits for what can no longer come', () => {
  it.each([
    [[], /^error: this is a fault in pubctl: the command ended before all of it was done\n/],
    [
      ['--json'],
      /^\{"error":\{"code":"fault","message":".* ended before all of it was done",.*"exitCode":1\}\}$/,
    ],
  ])('says so and ends with 1, with %j', async (format, words) => {
    const { url } = await serve((_, response) => json(response, 503, {}))
    // Each pause between attempts lasts for ever here, and keeps nothing alive.
    const forever = join(temporaryFolder(), 'forever.cjs')
    writeFileSync(
      forever,
      `require('node:timers/promises').setTimeout = () => new Promise(() => undefined)
      require('node:module').syncBuiltinESMExports()`,
    )
    const { run } = process(temporaryFolder(), {
      ...{ PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-0123456789' },
      NODE_OPTIONS: `--require=${forever}`,
    })
    const { exitCode, stdout, stderr } = await run(['domains', 'list', ...format])
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(words),
    })
  })
})

describe('a terminal that is closed', () => {
  it('ends the command with 129, and what was sent is gone on with', async ({ skip }) => {
    if (globalThis.process.platform === 'win32') skip('there are no such signals')
    const { run, home } = process()
    const path = await book(home)
    const upload = ['-p', 'sandbox', 'publications', 'upload', path]
    const terminal = spawnTerminal(globalThis.process.execPath, [bin, ...upload], {
      env: environment({ HOME: home, PUBCTL_SANDBOX_DELAY: '1h' }),
    })
    const ended = new Promise(resolve => terminal.onExit(resolve))
    let shown = ''
    terminal.onData(data => {
      shown += data
    })
    await expect.poll(() => shown).toMatch(/upload_pending|uploaded/)
    // Closes the terminal, whereupon the system sends the signal.
    Object(terminal).destroy()
    expect(await ended).toMatchObject({ exitCode: 129 })
    const { stdout } = await run(['uploads', 'list', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ file: path }])
  })
})
