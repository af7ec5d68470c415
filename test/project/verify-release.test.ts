import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Runs it in another folder than the root, with a umask that keeps files to their owner. */
function verify(...files: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', 'process.umask(0o077); import(process.argv[1])', join(root, '.ci/verify-release.js'), ...files],
    { cwd: temporaryFolder(), encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  return { status, stdout, stderr }
}

describe.runIf(isSlow && process.platform === 'linux')('what is released', () => {
  it('is the same, bit for bit, when it is made again in another folder and under another umask', async () => {
    const tarball = await artefact('tarball')
    const { folder, files } = await artefact('packages')
    const executable = join(folder, `pubctl-${version}-linux-${process.arch}`, 'pubctl')
    const all = [tarball, executable, ...files.filter(file => !file.endsWith('.json'))]
    const { status, stdout } = verify(...all)
    expect(stdout).toBe(all.map(file => `equal ${hashOf(file)} ${file}\n`).join(''))
    expect(status).toBe(0)
  }, 600_000)

  it('is told from what somebody changed, by the names of the files in it', async () => {
    const folder = temporaryFolder()
    const tarball = join(folder, basename(await artefact('tarball')))
    execFileSync('tar', ['-xf', await artefact('tarball'), '-C', folder])
    appendFileSync(join(folder, 'package/bin/pubctl.js'), '// another line')
    writeFileSync(join(folder, 'package/added.js'), '')
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package'])
    const { status, stdout } = verify(tarball)
    expect(stdout.replace(/[0-9a-f]{64}/g, '<hash>')).toBe(
      [
        `differs ${tarball}`,
        '  it is <hash>',
        '  rebuilt <hash>',
        '  package/added.js: not in what was rebuilt',
        '  package/bin/pubctl.js: other\n',
      ].join('\n'),
    )
    expect(status).toBe(1)
  }, 600_000)
})

describe('the command that verifies a release refuses in one line', () => {
  const empty = (name: string) => {
    const file = join(temporaryFolder(), name)
    writeFileSync(file, '')
    return file
  }
  it.each([
    ['no file', () => [], /name an artefact/],
    ['a file that is not there', () => ['/nowhere'], /there is no file \/nowhere/],
    ['a folder', () => [temporaryFolder()], /is no file/],
    [
      'a file that is no artefact',
      () => [empty('book.epub')],
      /is not named as an artefact of a release: pubctl-</,
    ],
    ['one of another version', () => [empty('pubctl-9.9.9.tgz')], /is of 9\.9\.9, .* git checkout v9\.9\.9/],
    [
      'one for another processor',
      () => [empty(`pubctl_${version}_riscv64.deb`)],
      /is for riscv64, where alone it can be rebuilt/,
    ],
  ])('%s', (_, files, says) => {
    const { status, stdout, stderr } = verify(...files())
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^verify-release: [^\n]+\n$/)
    expect(stderr).toMatch(says)
  })
})

it('files are dated as the commit, or as whoever builds says', () => {
  const dateOf = (env: NodeJS.ProcessEnv) =>
    execFileSync(
      process.execPath,
      [
        '-p',
        `import(${JSON.stringify(join(root, '.ci/source-date.js'))}).then(d => console.log(d.sourceEpoch)); ''`,
      ],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } },
    ).trim()
  expect(dateOf({ SOURCE_DATE_EPOCH: '86400' })).toBe('86400')
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  if (status === 0) expect(dateOf({})).toBe(stdout.trim())
})
