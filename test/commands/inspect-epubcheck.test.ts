import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { epubCheckProgram } from '../../src/books/epubcheck/index.ts'
import { findChecker } from '../../src/books/run-checker.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/books/make-book.ts'
import { bin } from '../support/machine/bin-path.ts'
import { canary } from '../support/machine/canary.ts'
import { engineOf, epubCheckPackage, isAlive } from '../support/machine/epubcheck-package.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const flawed = () =>
  makeBook({
    entries: {
      'EPUB/one.xhtml':
        '<html xmlns="http://www.w3.org/1999/xhtml"><body>\n<img src="gone.png"/></body></html>',
    },
  })

/** Books of these names, and how pubctl inspects them beside such a package, with no program on its PATH. */
function scene(
  names: readonly string[],
  { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage),
  PATH = '',
) {
  const home = temporaryFolder()
  for (const name of names) writeFileSync(join(home, name), flawed())
  const env = { HOME: home, PATH, PUBCTL_KEYCHAIN: 'off', PUBCTL_API_KEY: canary }
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [bin, 'inspect', ...names, '--epubcheck', ...args], { cwd: home, env })
  const inspect = async (...args: string[]) => {
    const child = start(...args)
    const [out, err, code] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      new Promise(resolve => child.once('exit', resolve)),
    ])
    return { code, out, err }
  }
  return { home, start, inspect }
}

interface Found {
  file: string
  checkedBy?: object[]
  problems: { code: string; severity: string; message: string; place?: string }[]
}

const processOf = ({ problems }: Found): string | undefined =>
  problems.flatMap(({ message }) => /process (\d+)/.exec(message)?.[1] ?? [])[0]

describe('the package of EPUBCheck', () => {
  it('is one process for all books, and a book that ends it costs itself alone', async () => {
    const names = ['1.epub', '2.epub', 'thrown.epub', 'broken off.epub', 'deadly.epub', '3.epub']
    const { code, out, err } = await scene(names).inspect('--json')
    const found: Found[] = JSON.parse(out)
    expect({ code, error: JSON.parse(err).error.message }).toEqual({
      code: 2,
      error: '6 of 6 books have errors',
    })
    const [first, second, thrown, brokenOff, deadly, last] = found as [
      Found,
      Found,
      Found,
      Found,
      Found,
      Found,
    ]
    expect(first.checkedBy).toEqual([
      { name: 'EPUBCheck', version: '5.9.0', engine: 'epubcheck-standalone 5.9.0-build1' },
    ])
    expect(processOf(second)).toBe(processOf(first))
    expect(second.problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^2\.epub is book 2, with PK, of process \d+ \(EPUBCheck\)\.$/),
    )
    expect(processOf(last)).toMatch(/^\d+$/)
    expect(processOf(last)).not.toBe(processOf(first))
    const failures = [thrown, brokenOff, deadly].map(({ problems, checkedBy }) => [
      problems.filter(({ code }) => code === 'checker_failed'),
      checkedBy,
    ])
    expect(failures).toMatchObject([
      [[{ message: 'EPUBCheck did not check the book: it broke off: Provider not found.' }], undefined],
      [
        [
          {
            message:
              'EPUBCheck did not check the book: it ended with 1: java.lang.RuntimeException: of null.',
          },
        ],
        undefined,
      ],
      [[{ severity: 'error', message: 'EPUBCheck did not check the book: it crashed.' }], undefined],
    ])
  })

  it('and pubctl say a fault once that both find, as grave as the graver says', async () => {
    const { inspect } = scene(['a.epub'])
    const { problems }: Found = JSON.parse((await inspect('--json')).out)
    expect(problems.filter(({ code }) => /^(RSC-007|reference_missing)$/.test(code))).toMatchObject([
      {
        severity: 'error',
        code: 'reference_missing',
        message: expect.stringMatching(/ \(EPUBCheck as well: RSC-007\)\.$/),
        place: 'EPUB/one.xhtml:2',
      },
      {
        code: 'RSC-007',
        message: 'Referenced resource "far.png" could not be found (EPUBCheck).',
        place: 'EPUB/one.xhtml:90',
      },
    ])
  })

  it('is named in every report', async () => {
    const { home, inspect } = scene(['a.epub'])
    const text = 'EPUBCheck 5.9.0 (epubcheck-standalone 5.9.0-build1)'
    const reports = await Promise.all(
      ['html', 'csv', 'xml', 'sarif', 'json'].map(async ending => {
        await inspect('--report', `report.${ending}`)
        return readFileSync(join(home, `report.${ending}`), 'utf8')
      }),
    )
    for (const report of reports.slice(0, 4)) expect(report).toContain(text)
    expect(JSON.parse(reports[4] ?? '')[0].checkedBy).toHaveLength(1)
  })

  it('is missing, and what to install is said before a book is read', async () => {
    const { code, out, err } = await scene(['a.epub'], programBesidePackages('epubcheck-standalone')).inspect(
      '--json',
    )
    expect({ code, out, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      out: '',
      error: {
        code: 'checker_missing',
        message:
          'EPUBCheck is not installed: there is no epubcheck on the PATH, and no package epubcheck-standalone beside pubctl',
        hint: 'Install the package: npm install --global epubcheck-standalone@latest. Or leave out --epubcheck; --no-epubcheck does without that of the profile.',
      },
    })
  })

  // Linux alone shows the processes of another one in files.
  it.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGKILL'] as const)(
    'ends with pubctl at %s, and has no key',
    async signal => {
      const program = scene(['endless.epub']).start('--json')
      const engine = await engineOf(program)
      expect(readFileSync(`/proc/${engine}/environ`, 'utf8')).not.toContain(canary)
      program.kill(signal)
      const code = await new Promise(resolve => program.once('exit', resolve))
      expect(code).toBe(signal === 'SIGINT' ? 130 : null)
      while (isAlive(engine)) await sleep(5)
    },
  )
})

describe.runIf(isSlow)('the real EPUBCheck', { timeout: 400_000 }, () => {
  it('of the package says what it is, and finds what pubctl finds', async () => {
    const { home, inspect } = scene(['missing.epub', 'sound.epub'], { folder: '', bin })
    const missing = makeBook({ manifest: '<item id="x" href="gone.png" media-type="image/png"/>' })
    writeFileSync(join(home, 'missing.epub'), missing)
    writeFileSync(join(home, 'sound.epub'), await makeExampleEpub({ title: 'Sound' }))
    const [first, second]: Found[] = JSON.parse((await inspect('--json')).out)
    expect(first?.checkedBy).toEqual([
      {
        name: 'EPUBCheck',
        version: '5.4.0',
        engine: 'epubcheck-standalone 5.4.0-build3',
      },
    ])
    expect(first?.problems.filter(({ message }) => message.includes('RSC-001'))).toMatchObject([
      { severity: 'error', code: 'resource_missing', message: expect.stringContaining('EPUBCheck as well') },
    ])
    expect(second?.problems.map(({ code }) => code)).toEqual([])
  })
})

it.skipIf((await findChecker(epubCheckProgram, process.env)) === undefined)(
  'the real program is understood',
  { timeout: 180_000 },
  async () => {
    const { inspect } = scene(['a.epub'], { folder: '', bin }, process.env['PATH'])
    const { checkedBy, problems }: Found = JSON.parse((await inspect('--json')).out)
    expect(checkedBy).toMatchObject([{ name: 'EPUBCheck', version: expect.stringMatching(/^\d/) }])
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('EPUBCheck') }),
    )
  },
)
