import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startAgent } from '../support/machine/agent.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** Small sheets for which the parser takes the square of their size in time: minutes. */
const hostile = {
  'an anchor over and over': `- file: ${'&a '.repeat(80_000)}x\n`,
  'a tag over and over': `- file: ${'!a '.repeat(80_000)}x\n`,
  'many keys of a map': `- metadata: {${Array.from({ length: 100_000 }, (_, number) => `k${number}: v`)}}\n`,
}

/** One that may take longer than any test, because most of it is a comment. */
const endless = `${hostile['an anchor over and over']}#${'x'.repeat(20 * 2 ** 20)}\n`

describe('a YAML sheet that would take minutes', () => {
  it.runIf(isSlow).each(Object.keys(hostile) as (keyof typeof hostile)[])(
    'ends with a clear word: %s',
    async name => {
      const { home, sandbox } = machine()
      const path = join(home, 'sheet.yaml')
      writeFileSync(path, hostile[name])
      const { code, err } = await sandbox(['publications', 'upload', '--manifest', path, '--json'])
      expect({ code, error: JSON.parse(err).error }).toMatchObject({
        code: 2,
        error: {
          code: 'bad_manifest',
          message: `${path} cannot be read: it takes more time than a sheet of its size; write it more simply, or as CSV`,
        },
      })
    },
  )

  it.skipIf(process.platform === 'win32')('is stopped by Ctrl-C at once', async () => {
    const home = temporaryFolder()
    const path = join(home, 'sheet.yaml')
    writeFileSync(path, endless)
    const args = ['--profile', 'sandbox', 'publications', 'upload', '--manifest', path]
    const child = spawn(process.execPath, [bin, ...args], {
      stdio: 'ignore',
      env: environment({ HOME: home }),
    })
    const ended = once(child, 'exit')
    await sleep(1500)
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
  })

  it.runIf(isSlow)('is stopped when an agent cancels its call, and the next call is answered', async () => {
    const cwd = temporaryFolder()
    const { call } = await startAgent([], { cwd })
    writeFileSync(join(cwd, 'sheet.yaml'), endless)
    const stop = new AbortController()
    const cancelled = call('catalogue_plan', { source: ['sheet.yaml'] }, stop.signal)
    await sleep(500)
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    expect((await call('domains_list')).isError).toBe(false)
  })
})
