// From the tarball, as the README says: "npm pack" and "npm install --global".
import { chmodSync, copyFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { doMainJob } from '../support/machine/main-job.ts'
import { expectManual } from '../support/machine/manual.ts'
import { lacksPackages, noPackages, npmEnvironment } from '../support/machine/npm.ts'
import { readPage } from '../support/machine/pages.ts'
import { canBeNobody, canGoOffline, homeOfNobody, runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { followTutorial } from '../support/machine/tutorial.ts'

describe.runIf(isSlow && process.platform !== 'win32')('what is installed globally', () => {
  const installed = async (skip: (why: string) => never) => {
    const { prefix } = (await artefact('installed')) ?? skip(noPackages)
    const bin = join(prefix, 'bin')
    return { bin, env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` } }
  }

  it('does what the tutorial says', async ({ skip }) => {
    expect(readPage('README.md')).toContain('npm install --global pubctl-')
    await followTutorial(join((await installed(skip)).bin, 'pubctl'))
  }, 300_000)

  it('brings the manual', async ({ skip }) => expectManual(dirname((await installed(skip)).bin)), 300_000)

  it.runIf(canBeNobody)(
    'works for a user who may not write to the folder that it is in',
    async ({ skip }) => {
      const { env } = await installed(skip)
      await doMainJob({ env, home: homeOfNobody(), isNobody: true })
    },
  )

  it.runIf(canBeNobody)(
    'is installed into the home of a user who may not write to the folder of npm',
    async ({ skip }) => {
      const tarball = await artefact('tarball')
      const [home, prefix] = [homeOfNobody(), temporaryFolder()]
      chmodSync(prefix, 0o755)
      copyFileSync(tarball, join(home, basename(tarball)))
      const user = {
        ...{ home, isNobody: true },
        env: {
          PATH: `${join(home, '.local/bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
          NPM_CONFIG_PREFIX: prefix,
          ...npmEnvironment(),
          npm_config_cache: join(home, '.npm'),
          npm_config_userconfig: join(home, '.npmrc'),
        },
      }
      const [usual = '', own = ''] = readPage('README.md').match(/^npm install --global .*$/gm) ?? []
      const refused = await runAt(user, usual)
      if (lacksPackages(refused.stderr)) skip(noPackages)
      expect(refused.stderr).toContain('EACCES')
      const installed = await runAt(user, own)
      expect(installed, installed.stderr).toMatchObject({ code: 0 })
      await doMainJob(user)
    },
    120_000,
  )

  it.runIf(canGoOffline)('needs no network', async ({ skip }) => {
    const { env } = await installed(skip)
    await doMainJob({ env, isOffline: true })
  })
})
