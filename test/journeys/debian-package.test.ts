// From the Debian package, as root installs it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { doMainJob } from '../support/machine/main-job.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const isThere = (command: string) => spawnSync(command, ['--version']).error === undefined

describe.runIf(isSlow && process.platform === 'linux')('the Debian package', () => {
  it.runIf(isThere('dpkg-deb'))(
    'can be installed, does the main job without Node.js, and can be removed',
    async () => {
      const { files } = await artefact('packages')
      const deb = files.find(file => file.endsWith('.deb')) ?? ''
      const machine = temporaryFolder()
      const dpkg = (...args: string[]) =>
        spawnSync('dpkg', [`--root=${machine}`, '--force-not-root', '--force-depends', ...args], {
          encoding: 'utf8',
        })
      const admin = join(machine, 'var/lib/dpkg')
      execFileSync('mkdir', ['-p', join(admin, 'info'), join(admin, 'updates'), join(admin, 'triggers')])
      for (const name of ['status', 'available']) writeFileSync(join(admin, name), '')
      const { status, stderr } = dpkg('--install', deb)
      expect(status, stderr).toBe(0)
      await doMainJob({ env: { PATH: join(machine, 'usr/bin') } })
      for (const path of [
        'man/man1/pubctl-publications-upload.1.gz',
        'bash-completion/completions/pubctl',
        'zsh/vendor-completions/_pubctl',
        'fish/vendor_completions.d/pubctl.fish',
      ]) {
        expect(existsSync(join(machine, 'usr/share', path)), path).toBe(true)
      }
      expect(dpkg('--remove', 'pubctl').status).toBe(0)
      expect(existsSync(join(machine, 'usr'))).toBe(false)
    },
    600_000,
  )

  it.runIf(isThere('dpkg-deb') && isThere('lintian'))(
    'passes lintian',
    async () => {
      const { files } = await artefact('packages')
      const deb = files.find(file => file.endsWith('.deb')) ?? ''
      const { status, stdout } = spawnSync('lintian', ['--allow-root', '--fail-on', 'error,warning', deb], {
        encoding: 'utf8',
      })
      expect(stdout).toBe('')
      expect(status).toBe(0)
    },
    600_000,
  )
})
