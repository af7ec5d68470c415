import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { isFull } from '../support/machine/full.ts'
import { isSlow } from '../support/machine/slow.ts'
import type { Measured } from './row.ts'

const root = join(import.meta.dirname, '../..')
const build = 'npm run --silent build && '
const script: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.bench

/** Runs `npm run bench`, but for the build, which the tests have made and go on using. */
const run = (...options: string[]) =>
  execa({ shell: true, preferLocal: true, cwd: root })`${script.replace(build, '')} ${options.join(' ')}`

const names = ['start', 'inspect', 'sending', 'batch', 'queue', 'listing', 'catalogue', 'onix', 'sandbox']
/** The tests are not run by themselves once more. */
const unmeasured = ['tests']

describe.skipIf(!isSlow)('npm run bench', () => {
  it('has no other benches', async () => {
    const { stdout } = await run('--help')
    expect(/one of (.*);/.exec(stdout)?.[1]?.split(', ').sort()).toEqual(
      [...names, 'growth', ...unmeasured].sort(),
    )
  })

  // How cost grows takes ten thousand of everything.
  it.each(isFull ? [...names, 'growth'] : names)('measures %s', { timeout: 900_000 }, async name => {
    const { stdout } = await run('--only', name, '--once', '--json')
    const { rows } = JSON.parse(stdout) as { rows: Measured[] }
    expect(rows).not.toEqual([])
    for (const { what, result, figures, isReached } of rows) {
      // Another program may be missing, and is named.
      if (isReached === undefined) expect(result, what).toMatch(/^\w+ is not here$/)
      else {
        expect(Object.values(figures), what).not.toEqual([])
        // What a start takes more than another one may be less than nothing where each is measured once.
        for (const [figure, value] of Object.entries(figures)) {
          expect(value, `${what}: ${figure}`).not.toBe(0)
          expect(Number.isFinite(value), `${what}: ${figure}`).toBe(true)
        }
      }
    }
  })
})
