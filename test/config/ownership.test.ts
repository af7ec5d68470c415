import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bin } from '../support/machine/bin-path.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { serve } from '../support/servers/server.ts'

const isRoot = process.getuid?.() === 0
const otherUser = 12_345

/** A machine whose folders are filled by commands that use each. */
async function used() {
  const { url, received } = await serve((_, response) => response.end('{"items":[]}'))
  const { home, run } = machine()
  const ran = join(home, 'ran')
  const setUp = ['profile', 'setup', 'work', '--base-url', url, '--allow-http', '--no-verify']
  const command = `echo >'${ran}'; echo a-key-of-some-length`
  expect(await run([...setUp, '--key-command', command])).toMatchObject({ code: 0 })
  expect(await run(['-p', 'sandbox', 'domains', 'list'])).toMatchObject({ code: 0 })
  expect(await run(['uploads', 'forget', 'x'])).toMatchObject({ code: 2 })
  const config = join(home, '.config/pubctl')
  const data = join(home, '.local/share/pubctl')
  const cache = join(home, '.cache/pubctl')
  const [listing, sandbox, uploads] = [
    ['domains', 'list', '--json'],
    ['-p', 'sandbox', 'domains', 'list', '--json'],
    ['uploads', 'list', '--json'],
  ]
  return {
    home,
    run,
    ran,
    received,
    /** Each place, and a command that uses it. */
    places: [
      [config, listing],
      [join(config, 'config.json'), listing],
      [data, uploads],
      [join(data, 'uploads.db'), uploads],
      [data, sandbox],
      [join(data, 'sandbox'), sandbox],
      [join(data, 'sandbox/sandbox.db'), sandbox],
      [cache, sandbox],
    ] as const,
  }
}

async function refusal(run: ReturnType<typeof machine>['run'], args: readonly string[]) {
  const { code, out, err } = await run(args)
  return { code, out, error: err === '' ? {} : JSON.parse(err).error }
}

describe.skipIf(process.platform === 'win32')("pubctl's folders and the files in them", () => {
  it.each(['0020', '0002'])('are refused while others may write to them (%s)', async bits => {
    const { run, places, ran } = await used()
    for (const [path, args] of places) {
      const { mode } = statSync(path)
      chmodSync(path, mode | Number.parseInt(bits, 8))
      expect(await refusal(run, args), path).toMatchObject({
        code: 2,
        out: '',
        error: {
          code: 'unsafe_permissions',
          message: expect.stringMatching(
            new RegExp(`^other users of this machine can write to the \\w+ ${path} `),
          ),
          hint: expect.stringContaining(`chmod go-w ${path}`),
        },
      })
      chmodSync(path, mode)
    }
    expect(existsSync(ran)).toBe(false)
    expect((await run(['domains', 'list'])).code).toBe(0)
    expect(existsSync(ran)).toBe(true)
  })

  it.skipIf(!isRoot)('are refused while they belong to another user', async () => {
    const { run, places, ran } = await used()
    for (const [path, args] of places) {
      chownSync(path, otherUser, otherUser)
      expect(await refusal(run, args), path).toMatchObject({
        code: 2,
        out: '',
        error: {
          code: 'unsafe_permissions',
          message: expect.stringContaining(`${path} belongs to another user (12345, and pubctl runs as 0)`),
          hint: expect.stringContaining(`chown 0 ${path}`),
        },
      })
      chownSync(path, 0, 0)
    }
    expect(existsSync(ran)).toBe(false)
  })

  it.skipIf(!isRoot)(
    'are refused behind a link of another user, and taken behind one of their own',
    async () => {
      const { home, run } = await used()
      const link = join(temporaryFolder(), 'config')
      symlinkSync(join(home, '.config/pubctl'), link)
      const env = { PUBCTL_CONFIG_DIR: link }
      expect((await run(['profile', 'list'], { env })).code).toBe(0)
      lchownSync(link, otherUser, otherUser)
      expect(await run(['profile', 'list'], { env })).toMatchObject({
        code: 2,
        err: expect.stringContaining(`the link ${link} belongs to another user`),
      })
    },
  )

  it('are refused before anything is sent or saved', async () => {
    const { home, run, received } = await used()
    const cache = join(home, '.cache/pubctl')
    chmodSync(cache, 0o770)
    expect(await run(['domains', 'create', 'a.example'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`the folder ${cache} `),
    })
    expect(received).toEqual([])
    chmodSync(join(home, '.config/pubctl'), 0o770)
    expect((await run(['profile', 'use', 'sandbox'])).code).toBe(2)
  })

  it('are left alone by a reset of the sandbox when they are refused', async () => {
    const { home, run } = await used()
    const folder = join(home, '.local/share/pubctl/sandbox')
    chmodSync(folder, 0o777)
    expect((await run(['sandbox', 'reset', '--yes'])).code).toBe(2)
    expect(existsSync(join(folder, 'sandbox.db'))).toBe(true)
  })

  it('are a finding of the doctor', async () => {
    const { home, run } = await used()
    const folder = join(home, '.config/pubctl')
    chmodSync(folder, 0o770)
    const { code, out } = await run(['doctor', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        check: 'configuration',
        status: 'fail',
        message: expect.stringContaining(folder),
      }),
    )
  })

  it('offer nothing to the completion that others may have written', async () => {
    const { home, run } = await used()
    expect((await run(['__complete', 'profiles', ''])).out).toContain('work\t')
    chmodSync(join(home, '.config/pubctl/config.json'), 0o666)
    expect((await run(['__complete', 'profiles', ''])).out).toBe('')
  })
})

describe('a folder whose variable holds a relative path', () => {
  it.each([
    ['PUBCTL_CONFIG_DIR', ['profile', 'list']],
    ['PUBCTL_DATA_DIR', ['uploads', 'list']],
    ['PUBCTL_CACHE_DIR', ['-p', 'sandbox', 'domains', 'list']],
  ])('is refused: %s', async (name, args) => {
    for (const path of ['here', './here', '.']) {
      const { code, out, err } = await machine({ [name]: path }).run(args)
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: `error: ${name} is "${path}", which is not an absolute path\n  Give an absolute path in ${name}.\n`,
      })
    }
  })
})

it.skipIf(process.platform === 'win32')(
  'a program in the current folder is not run by a key command that only names it',
  () => {
    const home = temporaryFolder()
    const folder = join(home, 'repository')
    mkdirSync(folder)
    writeFileSync(join(folder, 'vault'), `#!/bin/sh\ntouch '${home}/ran'\necho k\n`, { mode: 0o755 })
    const configDir = join(home, '.config/pubctl')
    mkdirSync(configDir, { recursive: true, mode: 0o700 })
    const profiles = { own: { baseUrl: 'http://127.0.0.1:9', keyCommand: 'vault read' } }
    writeFileSync(join(configDir, 'config.json'), JSON.stringify({ current: 'own', profiles }), {
      mode: 0o600,
    })
    for (const PATH of [`:${process.env['PATH']}`, `${process.env['PATH']}:.`, '', ':']) {
      const env = { HOME: home, PATH }
      const { status } = spawnSync(process.execPath, [bin, 'domains', 'list'], { env, cwd: folder })
      expect({ status, ran: existsSync(join(home, 'ran')) }, PATH).toEqual({ status: 3, ran: false })
    }
  },
)

it('a key command in the current directory does not run, whatever names the folder', async () => {
  const { home, run } = machine()
  const folder = join(temporaryFolder(), 'checkout')
  mkdirSync(folder, { mode: 0o775 })
  chmodSync(folder, 0o775)
  const profiles = {
    evil: { baseUrl: 'http://127.0.0.1:9', keyCommand: `touch '${join(home, 'ran')}'; echo k` },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ current: 'evil', profiles }))
  expect((await run(['domains', 'list'], { env: { PUBCTL_CONFIG_DIR: folder } })).code).toBe(2)
  expect(existsSync(join(home, 'ran'))).toBe(false)
})
