// From the archive of a release, on a machine without Node.js.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { doMainJob } from '../support/machine/main-job.ts'
import { canBeNobody, canGoOffline, homeOfNobody } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { followTutorial } from '../support/machine/tutorial.ts'

describe.runIf(isSlow && process.platform === 'linux')('the single executable', () => {
  let bin: string
  beforeAll(async () => {
    const { folder, files } = await artefact('packages')
    const archive = files.find(file => file.endsWith('.tar.gz')) ?? ''
    const place = join(folder, 'unpacked')
    execFileSync('mkdir', ['-p', place])
    execFileSync('tar', ['-xf', archive, '--strip-components=1', '-C', place])
    bin = place
  }, 600_000)
  // Nothing else can be found: neither node nor npm.
  const env = () => ({ PATH: bin })
  const executable = () => join(bin, 'pubctl')

  it('does what the tutorial says', () => followTutorial(executable()), 300_000)

  it('does the main job without Node.js', () => doMainJob({ env: env() }))

  it.runIf(canGoOffline)('needs no network, not even the first time', () =>
    doMainJob({ env: env(), isOffline: true }),
  )

  it.runIf(canBeNobody)('works for a user who may not write to the folder that it is in', () =>
    doMainJob({ env: env(), home: homeOfNobody(), isNobody: true }),
  )

  it('says what is missing as ever', () => {
    const home = temporaryFolder()
    const alone = (...args: string[]) =>
      spawnSync(executable(), args, {
        encoding: 'utf8',
        env: { HOME: home, PUBCTL_KEYCHAIN: 'off' },
        cwd: home,
      })
    expect(alone('whoami').status).toBe(3)
    const module = join(home, 'program-0123456789abcdef/dist/main.js')
    expect(alone(module).stderr).toContain('there is no command')
  })
})
