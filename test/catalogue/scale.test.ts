import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { peakOf } from '../support/machine/peak.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { listedService } from '../support/servers/listed-service.ts'

const count = 100_000
const pages = count / 50

/** How many MiB a process may have at its peak, whatever the number of publications. */
const mostMemory = 200

describe.runIf(isSlow && existsSync('/proc/self/status'))(`${count} publications`, () => {
  it('are read once, and then only listed, in little memory', { timeout: 900_000 }, async () => {
    const service = await listedService({ count })
    const folder = temporaryFolder()
    const env = environment({ HOME: folder, ...service.env })

    /** Runs the program in little memory; gives what it printed, and how many requests it made. */
    async function measured(...args: string[]) {
      const child = execa(process.execPath, [bin, ...args, '--quiet'], {
        env,
        extendEnv: false,
        reject: false,
      })
      let peak = 0
      const watch = setInterval(() => {
        peak = Math.max(peak, peakOf(child.pid))
      }, 20)
      const { exitCode, stdout, stderr } = await child.finally(() => clearInterval(watch))
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(peak).toBeGreaterThan(10)
      expect(peak).toBeLessThan(mostMemory)
      return { stdout, ...service.requests() }
    }

    const sheet = join(folder, 'books.csv')
    const exported = ['catalogue', 'export', '--out', sheet]
    const stdout = `${sheet}\t${count}\t0`
    expect(await measured(...exported)).toEqual({ stdout, pages, reads: count })
    expect(await measured(...exported)).toEqual({ stdout, pages, reads: 0 })
    const out = join(folder, 'plan.ndjson')
    const plan = await measured('catalogue', 'plan', sheet, '--detailed-exitcode', '--out', out)
    const [header] = readFileSync(out, 'utf8').split('\n', 1) as [string]
    expect(JSON.parse(header).counts).toEqual({ skip: count })
    expect(plan.pages).toBe(pages)
    // The metadata keys, and the few publications whose turn to be read again came in the minutes since they were read.
    expect(plan.reads).toBeLessThan(count / 1000)
    for (let number = 0; number < count; number += 100)
      service.changed.set(`pub_${number}`, { editionId: `ed_${number}_2`, description: 'Corrected' })
    expect(await measured(...exported)).toEqual({ stdout, pages, reads: count / 100 })
  })
})
