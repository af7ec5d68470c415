import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { isbns } from '../support/catalogues/catalogue.ts'
import { bin } from '../support/machine/bin-path.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

it.runIf(isSlow && process.platform !== 'win32')(
  'Ctrl-C ends a plan of an endless source, and nothing is left',
  async () => {
    const home = temporaryFolder()
    const endless = `<(echo title,isbn; yes 'A,${isbns[0]}')`
    const line = `exec "${process.execPath}" "${bin}" --profile sandbox catalogue plan ${endless} --out plan.ndjson`
    const child = spawn('bash', ['-c', line], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, PUBCTL_KEYCHAIN: 'off', SQLITE_TMPDIR: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let err = ''
    child.stderr.on('data', chunk => {
      err += chunk
    })
    await pause(1500)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 130, err: 'error: interrupted\n' })
    expect(readdirSync(home).filter(name => !name.startsWith('.'))).toEqual([])
  },
)
