import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { bundleFuzz } from '../../.ci/fuzz.js'
import { isSlow } from '../support/machine/slow.ts'
import { readingProcess } from './reading-process.ts'

/** The id of the process that runs a bundle. */
function processOf(bundle: string): number {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }
  return Number(readdirSync('/proc').find(each => commandOf(each).includes(`\0${bundle}\0`)))
}

it.runIf(isSlow && process.platform === 'linux')(
  'a process that gets no processor for a while does not hang',
  { timeout: 600_000 },
  async () => {
    const bundle = await bundleFuzz('held-up')
    const reading = readingProcess(bundle, 500)
    onTestFinished(async () => await reading.end())
    const read = async () => (await reading.read('session', Buffer.from('{}'), 'once')).findings
    expect(await read()).toEqual([])
    const pid = processOf(bundle)
    process.kill(pid, 'SIGSTOP')
    const findings = read()
    await sleep(1200)
    process.kill(pid, 'SIGCONT')
    expect(await findings).toEqual([])
  },
)
