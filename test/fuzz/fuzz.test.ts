import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleFuzz } from '../../.ci/fuzz.js'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { plants } from './plants.ts'
import { run as runHere } from './program.ts'
import { indexPath } from './readers.ts'

const timeout = 600_000

/** Runs a bundled fuzzer; what it printed, and how it ended. */
const run = (path: string, args: readonly string[]): Promise<{ code: unknown; lines: string[] }> =>
  new Promise(resolve => {
    execFile(process.execPath, [path, ...args], { timeout }, (error, out, err) => {
      resolve({ code: error?.code ?? 0, lines: `${out}${err}`.trim().split('\n') })
    })
  })

let sound: string
beforeAll(async () => {
  if (isSlow) sound = await bundleFuzz('sound')
}, timeout)

describe.runIf(isSlow)('every input that has ever been hostile', () => {
  it('is read by every reader of its kind without a fault', { timeout }, async () => {
    const { code, lines } = await run(sound, ['--seed', '1', '--mutations', '0'])
    expect({ code, found: lines.filter(line => line.startsWith('FOUND')) }).toEqual({ code: 0, found: [] })
    expect(Number(/^(\d+) inputs,/.exec(lines.at(-1) ?? '')?.[1])).toBeGreaterThan(150)
  })
})

describe.runIf(isSlow)('what a command keeps', () => {
  it('has the same times each time, so that an input is read alike whenever it is read', async () => {
    const home = join(temporaryFolder(), 'home')
    const kept = async () => {
      const files = { 'sheet.csv': Buffer.from('publicationId,title\npub_1,On Its Own\n') }
      expect((await runHere(['catalogue', 'plan', join(home, 'sheet.csv')], { home, files })).code).toBe(0)
      const index = readFileSync(join(home, indexPath))
      const { out } = await runHere(['catalogue', 'index', '--json'], { home, files: { [indexPath]: index } })
      return JSON.parse(out)
    }
    const [index] = await kept()
    expect(index).toMatchObject({ publications: 1, comparedAtIso: expect.any(String) })
    expect(await kept()).toEqual([index])
  })
})

describe.runIf(isSlow)('a fault that is planted', () => {
  it.each(plants)(
    'is found, made small and shown again: $name',
    {
      timeout,
    },
    async plant => {
      const planted = await bundleFuzz(`planted-${plants.indexOf(plant)}`, plant)
      const search = ['--reader', plant.reader, '--seed', '7', '--mutations', '1000', '--first']
      const { code, lines } = await run(planted, search)
      const at = lines.findIndex(line => line.startsWith(`FOUND ${plant.reader}: ${plant.kind}: `))
      expect({ code, found: lines[at] }).toMatchObject({ code: 1, found: expect.any(String) })
      const told = lines.slice(at + 1)
      expect(
        Number(/^ {2}(\d+) bytes: /.exec(told.find(line => / bytes: /.test(line)) ?? '')?.[1]),
      ).toBeLessThanOrEqual(plant.most)

      const again =
        told
          .find(line => line.startsWith('  npm run fuzz -- '))
          ?.split(' -- ')[1]
          ?.split(' ') ?? []
      expect(await run(planted, again)).toMatchObject({ code: 1, lines: expect.arrayContaining([lines[at]]) })
      expect(await run(sound, again)).toEqual({ code: 0, lines: ['0 findings'] })
    },
  )
})
