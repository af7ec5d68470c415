// From the tarball, as the README says: "npm pack" and "npm install --global".
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { doMainJob } from '../support/machine/main-job.ts'
import { expectManual } from '../support/machine/manual.ts'
import { noPackages } from '../support/machine/npm.ts'
import { readPage } from '../support/machine/pages.ts'
import { canBeNobody, canGoOffline, homeOfNobody } from '../support/machine/place.ts'
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

  it.runIf(canGoOffline)('needs no network', async ({ skip }) => {
    const { env } = await installed(skip)
    await doMainJob({ env, isOffline: true })
  })
})
