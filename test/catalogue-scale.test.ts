import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { listedService } from './support/listed-service.ts'
import { peakOf } from './support/peak.ts'
import { temporaryFolder } from './support/pubctl.ts'

const bin = join(import.meta.dirname, '../bin/pubctl.js')

/** How many publications there are: 100,000 in `npm run check:slow`. */
const count = process.env['SLOW'] ? 100_000 : 2000
const pages = count / 50

/** How many MiB a process may have at its peak, whatever the number of publications. */
const mostMemory = 200

describe.skipIf(!existsSync('/proc/self/status'))(`${count} publications`, () => {
  it('are read once, and then only listed, in little memory', { timeout: 900_000 }, async () => {
    const service = await listedService({ count })
    const folder = temporaryFolder()
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...service.env }

    /** Runs the program; gives its answer, the most memory that it had, and its requests. */
    async function measured(...args: string[]) {
      const child = execa(process.execPath, [bin, ...args], { env, extendEnv: false, reject: false })
      let peak = 0
      const watch = setInterval(() => {
        peak = Math.max(peak, peakOf(child.pid))
      }, 20)
      const { exitCode, stdout, stderr } = await child.finally(() => clearInterval(watch))
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(peak).toBeGreaterThan(10)
      expect(peak).toBeLessThan(mostMemory)
      return { answer: JSON.parse(stdout), ...service.requests() }
    }

    const sheet = join(folder, 'books.csv')
    const exported = ['catalogue', 'export', '--out', sheet, '--json']
    expect(await measured(...exported)).toMatchObject({
      ...{ answer: { publications: count, leftOut: 0 }, pages, reads: count },
    })
    expect(await measured(...exported)).toMatchObject({ answer: { publications: count }, pages, reads: 0 })
    for (let number = 0; number < count; number += 100)
      service.changed.set(`pub_${number}`, { editionId: `ed_${number}_2`, description: 'Corrected' })
    expect(await measured(...exported)).toMatchObject({ pages, reads: count / 100 })
  })
})
