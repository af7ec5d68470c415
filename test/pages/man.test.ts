import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/pubctl.ts'
import { leaves, root } from '../support/tree.ts'

const generator = join(import.meta.dirname, '../../.ci/man.js')
const hasMandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error === undefined

/** Writes all pages into a folder of their own. */
function writePages(): { folder: string; pages: string[] } {
  const folder = temporaryFolder()
  execFileSync(process.execPath, [generator, folder])
  return { folder, pages: readdirSync(folder).sort() }
}

const rendered = (page: string): string =>
  execFileSync('mandoc', ['-T', 'utf8', page], { encoding: 'utf8' }).replace(/.\u0008/gu, '')

describe('the manual', () => {
  it('has a page for every command, and the package names each of them', () => {
    const { pages } = writePages()
    for (const { path } of leaves(root)) expect(pages).toContain(`pubctl-${path.replaceAll(' ', '-')}.1`)
    const { man } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect([...man].sort()).toEqual(pages.map(page => `./dist/man/${page}`))
  })

  it('is built the same twice, on the day that is given', () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()]
    for (const folder of [first, second])
      execFileSync(process.execPath, [generator, folder], {
        env: { ...process.env, SOURCE_DATE_EPOCH: '86400' },
      })
    for (const page of readdirSync(first)) {
      const text = readFileSync(join(first, page), 'utf8')
      expect(text).toBe(readFileSync(join(second, page), 'utf8'))
      expect(text).toMatch(/^\.Dd January 2, 1970$/m)
    }
  })

  it.skipIf(!hasMandoc)('gives mandoc nothing to complain about', () => {
    const { folder, pages } = writePages()
    const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'all', ...pages], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it.skipIf(!hasMandoc)('prints every option, example and exit code as it is typed', () => {
    const { folder } = writePages()
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
