// From a fresh clone, as the README says: "npm run try", which works offline after the first time, and "npm link".
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshCheckout } from '../support/machine/fresh-checkout.ts'
import { expectManual } from '../support/machine/manual.ts'
import { lacksPackages, noPackages, npmEnvironment } from '../support/machine/npm.ts'
import { readPage } from '../support/machine/pages.ts'
import { canGoOffline, runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const readme = readPage('README.md')
const blockWith = (command: string): string => {
  const block = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].find(([, text]) => text?.includes(command))?.[1]
  if (block === undefined) throw new Error(`the README does not say "${command}"`)
  return block
}

describe.runIf(isSlow && process.platform !== 'win32')('a clone', () => {
  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    CI: 'true',
    PUBCTL_SANDBOX_DELAY: '5ms',
    ...npmEnvironment(),
  })

  let place: Parameters<typeof runAt>[0]
  let first: Awaited<ReturnType<typeof runAt>>
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-clone-'))
  beforeAll(async () => {
    place = { env: env(), home: join(folder, 'home'), cwd: freshCheckout(join(folder, 'pubctl')) }
    mkdirSync(join(folder, 'home'))
    first = await runAt(place, blockWith('npm run try'))
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const isTried = (skip: (why: string) => never) => {
    if (first.code !== 0 && lacksPackages(first.stderr)) skip(noPackages)
  }

  it('uploads a book by "npm run try"', ({ skip }) => {
    isTried(skip)
    expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\buploaded\b/) })
  })

  it.runIf(canGoOffline)(
    'does so again without a network',
    async ({ skip }) => {
      isTried(skip)
      expect(readme).toContain('work offline after the first time')
      const again = await runAt({ ...place, isOffline: true }, blockWith('npm run try'))
      expect(again, again.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/\bskipped\b/),
      })
      // A part of them, in which npm and the network are used.
      const tests = blockWith('npm test').replace(
        /$/m,
        ' -- test/project/workflows.test.ts test/service/call.test.ts',
      )
      const tested = await runAt({ ...place, isOffline: true }, tests)
      expect(tested, tested.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Test Files.*2 passed/),
      })
    },
    300_000,
  )

  it('is "pubctl" after "npm link"', async ({ skip }) => {
    isTried(skip)
    expect(readme).toContain('run `npm run try` once and then `npm link`')
    const prefix = temporaryFolder()
    const linked = { ...place, env: { ...place.env, npm_config_prefix: prefix } }
    expect(await runAt(linked, 'npm link')).toMatchObject({ code: 0 })
    const path = `${join(prefix, 'bin')}:${process.env['PATH']}`
    const version = await runAt({ env: { PATH: path } }, 'pubctl --version')
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    await expectManual(prefix)
  }, 300_000)
})
