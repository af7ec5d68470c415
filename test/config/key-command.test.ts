import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runKeyCommand } from '../../src/config/key-command.ts'
import { Failure, Interrupted } from '../../src/system/errors.ts'
import { bundleScript, startScript } from '../support/machine/child-script.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const world = (
  overrides: { env?: Record<string, string | undefined>; signal?: AbortSignal; stdin?: PassThrough } = {},
) => ({
  env: { PATH: process.env['PATH'] },
  signal: new AbortController().signal,
  stdin: new PassThrough(),
  ...overrides,
})
const node = (script: string) => `"${process.execPath}" -e "${script}"`

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

describe('a keyCommand', () => {
  it('gives the one line that it prints, without its line break', async () => {
    expect(await runKeyCommand('echo pk_from_vault', world())).toBe('pk_from_vault')
    expect(await runKeyCommand('printf pk_from_vault', world())).toBe('pk_from_vault')
  })

  it('is a shell line, and sees the environment that pubctl was given', async () => {
    const env = { PATH: process.env['PATH'], VAULT: 'pk_abc' }
    expect(await runKeyCommand('echo $VAULT | tr a-z A-Z', world({ env }))).toBe('PK_ABC')
    expect(await runKeyCommand('echo "[$HOME]"', world({ env }))).toBe('[]')
  })

  it.each([
    ['echo; echo pk_secret', 'did not print one line'],
    ['echo pk_secret; echo', 'did not print one line'],
    ['echo pk_secret and more', 'did not print one line'],
    ['true', 'did not print one line'],
    ["printf 'pk_secret\\033[31m'", 'did not print one line'],
    ['echo pk_secret; echo pk_secret >&2; exit 7', 'failed with exit code 7'],
    ['no-such-program-pk_secret', 'failed with exit code 127'],
    ['echo pk_secret; kill -9 $$', 'was ended by SIGKILL'],
    [node("process.stdout.write('pk_secret'.repeat(1e5))"), 'printed far more than a key'],
  ])('fails with exit code 3 and without a word of its output: %s', async (command, words) => {
    const failure = await failureOf(runKeyCommand(command, world()))
    expect(failure).toMatchObject({ code: 'key_command_failed', exitCode: 3 })
    expect(failure.message).toContain(words)
    expect(JSON.stringify([failure.message, failure.hint, String(failure.cause)])).not.toContain('pk_secret')
  })

  it.each([true, false])(
    'is given up after its time, though what it started keeps the pipe open (at a terminal: %s)',
    async isTTY => {
      // Whoever waited for the sleepers would run into this test's own limit.
      const stdin = Object.assign(new PassThrough(), { isTTY })
      const failure = await failureOf(
        runKeyCommand('sleep 60 & sleep 60; echo pk_late', world({ stdin }), 200),
      )
      expect(failure.message).toContain('printed no key within 0.2 seconds')
    },
    20_000,
  )

  it('ends with the person’s interruption', async () => {
    const controller = new AbortController()
    const running = runKeyCommand('sleep 100', world({ signal: controller.signal }))
    controller.abort(new Interrupted('SIGINT'))
    await expect(running).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  }, 20_000)

  it('is interrupted by what a terminal sends to the command, of which pubctl hears last', async () => {
    const running = runKeyCommand('kill -INT $$', world())
    await expect(running).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  })

  it('is not started when the person has interrupted already', async () => {
    const signal = AbortSignal.abort(new Interrupted('SIGTERM'))
    await expect(runKeyCommand('echo pk_secret', world({ signal }))).rejects.toMatchObject({ exitCode: 143 })
  })

  it('does not eat the input that pubctl itself is to read, and says nothing in its place', async () => {
    const folder = temporaryFolder()
    const script = join(folder, 'reader.mjs')
    await bundleScript(
      `import { text } from 'node:stream/consumers'
      import { runKeyCommand } from '../../src/config/key-command.ts'
      const { env, stdin } = process
      const key = await runKeyCommand('cat; echo pk_secret >&2; echo pk_key', { env, stdin, signal: new AbortController().signal })
      process.stdout.write(key + ' and ' + (await text(stdin)))`,
      script,
    )
    expect(await startScript(script, [], 'the session').done).toBe('pk_key and the session')
  })
})
