// A hot folder without a person: the line of cron and the unit of systemd in docs/watch.md.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { bookOf } from '../support/catalogues/catalogue.ts'
import { artefact } from '../support/machine/artefacts.ts'
import { noPackages } from '../support/machine/npm.ts'
import { blockBelow } from '../support/machine/pages.ts'
import { runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

describe.runIf(isSlow && process.platform !== 'win32')('a hot folder', () => {
  /** A machine with pubctl, a hot folder with a book, and a service. */
  async function scene(skip: (why: string) => never) {
    const { prefix } = (await artefact('installed')) ?? skip(noPackages)
    const { baseUrl, key } = await startServer(temporaryFolder(), ['--processing-delay', '5ms'])
    const incoming = join(temporaryFolder(), 'incoming')
    mkdirSync(incoming)
    writeFileSync(join(incoming, 'book.epub'), bookOf('A'))
    const done = join(incoming, 'done', 'book.epub')
    // What cron and systemd give: no terminal, no locale, a short path. Node.js is where the package expects it.
    const env = {
      PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      SHELL: '/bin/sh',
    }
    return { baseUrl, key, incoming, done, env, bin: join(prefix, 'bin') }
  }

  it('is settled by the line of cron, which prints nothing', async ({ skip }) => {
    const { baseUrl, key, incoming, done, env } = await scene(skip)
    const home = temporaryFolder()
    const setup = `printf %s '${key}' | pubctl profile setup work --base-url ${baseUrl} --api-key-file -`
    expect(await runAt({ env, home }, setup)).toMatchObject({ code: 0 })
    const [, line = ''] =
      /^(?:\S+ +){5}(.*)$/m.exec(blockBelow('docs/watch.md', '## From cron', 'text')) ?? []
    expect(line).toContain('/srv/incoming')
    // The first run may find that the book is still young.
    const script = `${line.replace('/srv/incoming', incoming)} --quiet-period 100ms`
    expect(await runAt({ env, home }, script)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(existsSync(done)).toBe(true)
  })

  it('is watched by the unit of systemd until it is stopped', async ({ skip }) => {
    const { baseUrl, key, incoming, done, env, bin } = await scene(skip)
    const unit = blockBelow('docs/watch.md', '## As a service with systemd', 'ini')
    const state = temporaryFolder()
    writeFileSync(join(state, 'key'), key, { mode: 0o400 })
    const words: Record<string, string> = {
      '/usr/bin/pubctl': join(bin, 'pubctl'),
      '/srv/incoming': incoming,
      '/var/lib/pubctl': state,
      'https://api.example.com': baseUrl,
      [`$\{CREDENTIALS_DIRECTORY}`]: state,
    }
    const hereIs = (text: string) =>
      Object.entries(words).reduce((value, [word, here]) => value.replaceAll(word, here), text)
    const valuesOf = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => hereIs(value))
    const [program = '', ...args] = valuesOf('ExecStart')[0]?.split(' ') ?? []
    const watching = execa(program, args, {
      ...{ cwd: '/', reject: false, extendEnv: false, stdin: 'ignore' },
      env: {
        ...env,
        ...Object.fromEntries(valuesOf('Environment').map(each => each.split(/=(.*)/s).slice(0, 2))),
      },
    })
    try {
      await expect.poll(() => existsSync(done)).toBe(true)
    } finally {
      watching.kill('SIGTERM')
    }
    const { exitCode, stderr } = await watching
    expect({ exitCode, stderr }).toMatchObject({ exitCode: Number(valuesOf('SuccessExitStatus')[0]) })
  })
})
