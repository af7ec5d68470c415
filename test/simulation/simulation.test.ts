import { describe, expect, it } from 'vitest'
import { bundleSimulation, runSimulation } from '../../.ci/simulate.js'
import { isSlow, share } from '../support/machine/slow.ts'
import { plants } from './plants.ts'

const timeout = 3_600_000
const processes = isSlow ? 2 : 1

describe('whatever goes wrong once, at whatever point', () => {
  it('leaves each book at the service once, with its bytes, and nothing said that is not so', {
    timeout,
  }, async () => {
    const path = await bundleSimulation('one-fault')
    const { tried, wrong } = await runSimulation(path, ['--every', isSlow ? '1' : '150'], { processes })
    expect(wrong).toEqual([])
    expect(tried['histories']).toBeGreaterThan(isSlow ? 4000 : 30)
  })

  it.each(share(plants, plants.length))('is found if $name', { timeout }, async plant => {
    const path = await bundleSimulation(`planted-${plants.indexOf(plant)}`, plant)
    const { wrong } = await runSimulation(path, ['--scenario', 'upload', '--first'], { processes })
    expect(wrong).not.toEqual([])
  })
})
