import { chmodSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { dataFolder, sandbox } from '../support/servers/sandbox.ts'

/** The program as a process of its own, since one that never ends could not be stopped otherwise. */
const command = (args: readonly string[], env: Record<string, string>) =>
  execa(process.execPath, [bin, ...args], {
    env: environment(env),
    extendEnv: false,
    reject: false,
    input: '',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })

describe.skipIf(process.platform !== 'linux')('below /proc, where no folder can be made,', () => {
  const nowhere = '/proc/pubctl'

  it.each([
    ['sandbox_data', ['--profile', 'sandbox', 'domains', 'list']],
    ['sandbox_data', ['sandbox', 'start']],
    ['sandbox_data', ['sandbox', 'reset', '--yes']],
    ['journal_unwritable', ['uploads', 'forget', 'x']],
  ])('the folder of data ends in %s for %j', async (code, args) => {
    const { exitCode, stderr } = await command([...args, '--json'], { PUBCTL_DATA_DIR: nowhere })
    const { error } = JSON.parse(stderr)
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code })
    expect(error.message).toMatch(/^the \w.* \/proc\/pubctl\/.* cannot be opened \(ENOENT\)$/)
    expect(error.hint).toBe('Name another folder in PUBCTL_DATA_DIR.')
  })

  it('the folder of profiles is named', async () => {
    const { exitCode, stderr } = await command(['profile', 'use', 'sandbox'], { PUBCTL_CONFIG_DIR: nowhere })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: cannot make the folder \/proc\/pubctl: ENOENT\n/)
  })

  it('the folder of the cache is done without', async () => {
    const { exitCode, stderr } = await command(['--profile', 'sandbox', 'domains', 'list'], {
      PUBCTL_CACHE_DIR: nowhere,
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

it('a folder that the sandbox cannot make is not taken for its port', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'objects'), 'no folder')
  const { code, err } = await machine().run(['sandbox', 'start', '--data-dir', dataDir, '--json'])
  expect({ code, error: JSON.parse(err).error }).toMatchObject({
    code: 2,
    error: {
      code: 'sandbox_data',
      message: `the sandbox at ${join(dataDir, 'objects')} cannot be used (EEXIST)`,
    },
  })
})

// No mode keeps root out.
describe.skipIf(process.getuid?.() === 0)('where the user has no right,', () => {
  it('a folder that the sandbox may not make is not taken for its port either', async () => {
    const dataDir = dataFolder()
    await sandbox({ dataDir })
    rmdirSync(join(dataDir, 'objects'))
    chmodSync(dataDir, 0o500)
    const { code, err } = await machine().run(['sandbox', 'start', '--data-dir', dataDir, '--json'])
    chmodSync(dataDir, 0o700)
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: { code: 'sandbox_data', message: expect.stringMatching(/objects cannot be used \(EACCES\)$/) },
    })
  })

  it('a sandbox that may not be looked at is not said to be missing', async () => {
    const { run, home } = machine()
    expect((await run(['sandbox', 'reset', '--yes'])).code).toBe(0)
    const folder = join(home, '.local/share/pubctl/sandbox')
    chmodSync(folder, 0)
    const { code, out, err } = await run(['sandbox', 'status', '--json'])
    chmodSync(folder, 0o700)
    expect({ code, out, error: JSON.parse(err).error.code }).toEqual({
      code: 2,
      out: '',
      error: 'sandbox_data',
    })
  })

  it('a journal that can be written in a folder that cannot is told as that', async () => {
    const { run, home } = machine()
    const folder = join(home, '.local/share/pubctl')
    await run(['uploads', 'forget', 'x'])
    for (const end of ['wal', 'shm']) rmSync(join(folder, `uploads.db-${end}`), { force: true })
    chmodSync(folder, 0o500)
    const { code, err } = await run(['uploads', 'list', '--json'])
    chmodSync(folder, 0o700)
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: { code: 'journal_unwritable', hint: expect.stringMatching(/^See that you may write there, or/) },
    })
  })
})
