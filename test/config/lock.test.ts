import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from '../../src/config/lock.ts'
import { identityOf } from '../../src/system/process-mark.ts'
import { type Clock, systemClock } from '../../src/system/world.ts'
import { bundleScript, removeFolder, startScript } from '../support/machine/child-script.ts'

const root = mkdtempSync(join(tmpdir(), 'pubctl-lock-'))
const script = join(root, 'taker.mjs')
let folder: string
let path: string

// Enters the locked part again and again, and fails when another process is in it at the same time.
const taker = `
  import { closeSync, openSync, rmSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { withLock } from '../../src/config/lock.ts'
  const [path, inside, rounds] = process.argv.slice(2)
  for (let round = 0; round < Number(rounds); round++) {
    await withLock(path, async () => {
      closeSync(openSync(inside, 'wx'))
      if (rounds === '1000000') process.stdout.write('in\\n')
      await sleep(Math.random() * 3)
      rmSync(inside)
    })
  }
`

beforeAll(() => bundleScript(taker, script))
afterAll(() => removeFolder(root))
beforeEach(() => {
  folder = mkdtempSync(join(root, 'locked-'))
  path = join(folder, 'config.lock')
})

/** A clock that starts at the real time and goes on only by sleeping. */
function movedClock(): Clock {
  let now = Date.now()
  return {
    ...systemClock,
    now: () => now,
    monotonic: () => now,
    sleep: async milliseconds => {
      now += milliseconds
    },
  }
}

const deadPid = spawnSync(process.execPath, ['-e', '']).pid

function leaveLock({ seconds = 0, ...holder }: { seconds?: number; host?: string; pid?: number } = {}): void {
  const { pid = process.ppid } = holder
  const identity = { ...identityOf('self'), started: identityOf(pid).started }
  const left = { token: 't', pid, host: hostname(), user: 'ann', since: '2026-01-01', ...identity, ...holder }
  writeFileSync(path, JSON.stringify(left))
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

describe('the lock', () => {
  it('gives back what the work gives, and leaves nothing behind', async () => {
    expect(await withLock(path, () => 42)).toBe(42)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is released when the work fails', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual([])
  })

  it('lets one at a time into the work', async () => {
    let inside = 0
    const most: number[] = []
    const work = async () => {
      most.push(++inside)
      await new Promise(resolve => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)))
    expect(most).toEqual(Array(8).fill(1))
  })

  it('is had by one process at a time, also when they find that of a dead one', async () => {
    leaveLock({ pid: deadPid })
    const takers = Array.from(
      { length: 4 },
      () => startScript(script, [path, join(folder, 'inside'), '40']).done,
    )
    await Promise.all(takers)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is free again at once when its process is killed', async () => {
    const { child, done } = startScript(script, [path, join(folder, 'inside'), '1000000'])
    await new Promise(resolve => child.stdout?.once('data', resolve))
    child.kill('SIGKILL')
    await expect(done).rejects.toThrow('SIGKILL')
    expect(await withLock(path, () => 'taken', movedClock())).toBe('taken')
    expect(readdirSync(folder).filter(name => name.startsWith('config.lock'))).toEqual([])
  })

  it.each([
    ['a process that lives', {}],
    ['a process of another machine, whatever its number', { host: 'another', pid: deadPid }],
    ['a process that has had it for a while', { seconds: 11 }],
  ])('is waited for in vain, with a clear end, while %s has it', async (_, holder) => {
    leaveLock(holder)
    const failure = withLock(path, () => 'taken', movedClock())
    await expect(failure).rejects.toMatchObject({ code: 'config_locked', exitCode: 2 })
    expect(existsSync(path)).toBe(true)
  })

  it.each([
    ['its process is dead', { pid: deadPid }],
    ['it is older than half a minute, since another process may have got the number', { seconds: 31 }],
    ['it is as old on another machine', { host: 'another', seconds: 31 }],
  ])('is taken over when %s', async (_, holder) => {
    leaveLock(holder)
    expect(await withLock(path, () => 'taken', movedClock())).toBe('taken')
    expect(readdirSync(folder)).toEqual([])
  })

  it('tells one who slept too long that it is lost, before anything is written', async () => {
    const late = withLock(path, async confirm => {
      confirm()
      utimesSync(path, 0, 0)
      expect(await withLock(path, () => 'taken')).toBe('taken')
      confirm()
    })
    await expect(late).rejects.toMatchObject({ code: 'config_locked' })
  })

  it('leaves alone what merely has a similar name', async () => {
    const note = `${path}.notes`
    writeFileSync(note, '')
    utimesSync(note, 0, 0)
    await withLock(path, () => undefined)
    expect(existsSync(note)).toBe(true)
  })
})
