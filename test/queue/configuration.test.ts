import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { startAgent } from '../support/machine/agent.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { configurationNames, harmfulNames, plantAround } from '../support/machine/planted-configuration.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const postgres = usePostgres()

describe('what lies in the current folder and the one above it', () => {
  it('would be configuration of the library under these names', () => {
    const names = configurationNames(temporaryFolder())
    expect(names).toEqual(expect.arrayContaining(['package.json', '.config.js', '.graphile-workerrc.cjs']))
    expect(names.length).toBeGreaterThan(20)
    expect(harmfulNames(temporaryFolder(), names)).toEqual(names)
  })

  it.runIf(isSlow)('is neither run nor read by a command of a queue, a worker or an agent', async () => {
    const { plan, env, status } = await queueScene(postgres, 1)
    const names = configurationNames(temporaryFolder())
    const outer = temporaryFolder()
    const cwd = join(outer, 'shared', 'books')
    mkdirSync(cwd, { recursive: true })
    const whatRan = plantAround(cwd, names, join(outer, 'ran'))
    for (const args of [
      ['queue', 'load', plan],
      ['queue', 'status'],
      ['queue', 'retry'],
      ['queue', 'limit', '1000/s'],
      ['worker', '--once'],
    ]) {
      const { exitCode, stderr } = await execa(process.execPath, [bin, ...args], {
        ...{ cwd, env: environment(env), extendEnv: false, reject: false, stdin: 'ignore' },
      })
      expect({ args, exitCode, ran: whatRan() }, stderr).toEqual({ args, exitCode: 0, ran: '' })
    }
    expect(await status()).toMatchObject({ steps: 1, uploaded: 1, failed: 0 })
    const { call } = await startAgent([], { before: [], env, cwd })
    const answered = await call('queue_status')
    expect(answered).toMatchObject({ isError: false, data: expect.stringContaining('"uploaded":1') })
    expect(whatRan()).toBe('')
  })
})
