import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { leaves, root } from '../support/machine/tree.ts'

const generator = join(import.meta.dirname, '../../.ci/man.js')
const hasMandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error === undefined

/** All pages as they are built on a day that is given. */
const folder = mkdtempSync(join(tmpdir(), 'pubctl-man-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (to: string) =>
  execFileSync(process.execPath, [generator, to], { env: { ...process.env, SOURCE_DATE_EPOCH: '86400' } })
let pages: string[]
beforeAll(() => {
  write(folder)
  pages = readdirSync(folder).sort()
})

const rendered = (page: string): string =>
  execFileSync('mandoc', ['-T', 'utf8', page], { encoding: 'utf8' }).replace(/.\u0008/gu, '')

describe('the manual', () => {
  it('has a page for every command', () => {
    for (const { path } of leaves(root)) expect(pages).toContain(`pubctl-${path.replaceAll(' ', '-')}.1`)
  })

  it.runIf(isSlow)('is built the same twice, on the day that is given', () => {
    const second = temporaryFolder()
    write(second)
    for (const page of pages) {
      const text = readFileSync(join(folder, page), 'utf8')
      expect(text).toBe(readFileSync(join(second, page), 'utf8'))
      expect(text).toMatch(/^\.Dd January 2, 1970$/m)
    }
  })

  it('refers to pages that there are', () => {
    const texts = pages.map(page => readFileSync(join(folder, page), 'utf8'))
    const named = texts.flatMap(text =>
      [...text.matchAll(/^\.(?:It )?Xr (\S+) 1/gm)].map(([, name]) => `${name}.1`),
    )
    expect(named.length).toBeGreaterThan(pages.length)
    expect(named.filter(name => !pages.includes(name))).toEqual([])
  })

  it.skipIf(!hasMandoc)('gives mandoc nothing to complain about', () => {
    // It looks for each page that is referred to among all pages of the system, which takes its time.
    const some = share(pages, 4)
    const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'all', ...some], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it.skipIf(!hasMandoc)('prints every option, example and exit code as it is typed', () => {
    for (const { path, options, examples, exitCodes } of leaves(root)) {
      const text = rendered(join(folder, `pubctl-${path.replaceAll(' ', '-')}.1`))
      for (const { long, short, value } of options) {
        expect(text).toContain(`${short ? `${short}${value ? ` ${value}` : ''}, ` : ''}${long}`)
      }
      for (const example of examples) expect(text).toContain(` ${example}\n`)
      for (const code of exitCodes) expect(text).toMatch(new RegExp(`^ {5}${code} `, 'm'))
    }
  })
})
