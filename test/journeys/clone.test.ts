// From a fresh clone, as the README says: "npm run try", which works offline after the first time, and "npm link".
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshCheckout } from '../support/fresh-checkout.ts'
import { lacksPackages, noPackages, npmEnvironment } from '../support/npm.ts'
import { readPage } from '../support/pages.ts'
import { canGoOffline, runAt } from '../support/place.ts'
import { temporaryFolder } from '../support/pubctl.ts'
import { isSlow } from '../support/slow.ts'

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

  it('uploads a book by "npm run try", again without a network, and is "pubctl" after "npm link"', async ({
    skip,
  }) => {
    const cwd = freshCheckout()
    const place = { env: env(), home: temporaryFolder(), cwd }
    const first = await runAt(place, blockWith('npm run try'))
    if (first.code !== 0 && lacksPackages(first.stderr)) skip(noPackages)
    expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\buploaded\b/) })

    expect(readme).toContain('work offline after the first time')
    if (canGoOffline) {
      const again = await runAt({ ...place, isOffline: true }, blockWith('npm run try'))
      expect(again, again.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/\b(?:uploaded|skipped)\b/),
      })
    }

    expect(readme).toContain('run `npm run try` once and then `npm link`')
    const prefix = temporaryFolder()
    const linked = { ...place, env: { ...place.env, npm_config_prefix: prefix } }
    expect(await runAt(linked, 'npm link')).toMatchObject({ code: 0 })
    const path = `${join(prefix, 'bin')}:${place.env.PATH}`
    const version = await runAt({ env: { PATH: path }, home: place.home }, 'pubctl --version')
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  }, 300_000)
})
