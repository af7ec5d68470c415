import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { epubCheck } from '../../src/books/epubcheck.ts'
import { findChecker } from '../../src/books/run-checker.ts'
import { canary } from '../support/canary.ts'
import { makeBook } from '../support/make-book.ts'
import { makePdf } from '../support/make-pdf.ts'
import { machine } from '../support/pubctl.ts'

/** A machine with a book, on whose PATH a program of a name prints something and ends with 1, as checkers do for errors. */
function withChecker(name: string, prints: string) {
  const { run, home } = machine()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(home, 'report'), prints)
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nenv > "${home}/env"\necho "$@" > "${home}/args"\ncat "${home}/report"\nexit 1\n`,
  )
  chmodSync(join(bin, name), 0o755)
  const book = join(home, '-a book.epub')
  writeFileSync(book, makeBook())
  const env = { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), PUBCTL_API_KEY: canary }
  return { home, book, inspect: (...args: string[]) => run(['inspect', ...args, '--json'], { env }) }
}

const epubCheckReport = JSON.stringify({
  messages: [
    {
      ID: 'OPF-001',
      severity: 'WARNING',
      message: 'A warning.',
      additionalLocations: 2,
      locations: [{ path: 'EPUB/a.opf', line: 3 }],
      suggestion: 'Do this.',
    },
    {
      ID: 'PKG-008',
      severity: 'FATAL',
      message: 'Cannot\nread',
      additionalLocations: 0,
      locations: [{ path: './book.epub', line: -1 }],
      suggestion: null,
    },
    { ID: 'ACC-001', severity: 'USAGE', message: 'Not for publishers', locations: [] },
  ],
})

describe.skipIf(process.platform === 'win32')('inspect with another checker', () => {
  it('adds what EPUBCheck says, the gravest first', async () => {
    const { inspect, book, home } = withChecker('epubcheck', `Epub Name: x\n${epubCheckReport}`)
    const { code, out } = await inspect(book, '--epubcheck')
    expect(JSON.parse(out).problems).toEqual([
      { severity: 'error', code: 'PKG-008', message: 'Cannot read (EPUBCheck).' },
      {
        severity: 'warning',
        code: 'OPF-001',
        message: 'A warning. And 2 more of the kind (EPUBCheck).',
        place: 'EPUB/a.opf:3',
        hint: 'Do this.',
      },
    ])
    expect(code).toBe(2)
    expect(readFileSync(join(home, 'args'), 'utf8')).toBe(`--json - ${book}\n`)
    expect(readFileSync(join(home, 'env'), 'utf8')).not.toContain(canary)
  })

  it('adds what Ace says as warnings', async () => {
    const finding = {
      'earl:test': { 'dct:title': 'image-alt', help: { 'dct:description': 'Describe it.' } },
      'earl:result': { 'dct:description': 'The image has no alt' },
    }
    const report = { assertions: [{ 'earl:testSubject': { url: 'EPUB/one.xhtml' }, assertions: [finding] }] }
    const { inspect, book } = withChecker('ace', JSON.stringify(report))
    const { code, out } = await inspect(book, '--ace')
    expect({ code, problems: JSON.parse(out).problems }).toEqual({
      code: 0,
      problems: [
        {
          severity: 'warning',
          code: 'image-alt',
          message: 'The image has no alt (Ace).',
          place: 'EPUB/one.xhtml',
          hint: 'Describe it.',
        },
      ],
    })
  })

  it('asks it about EPUBs alone', async () => {
    const { inspect, home } = withChecker('epubcheck', epubCheckReport)
    const pdf = join(home, 'a.pdf')
    writeFileSync(pdf, makePdf({ info: '/Title (A) /Author (B)', catalog: '/Lang (en)' }))
    const { code, out } = await inspect(pdf, '--epubcheck')
    expect({ code, problems: JSON.parse(out).problems }).toEqual({ code: 0, problems: [] })
  })

  it('does not go with --accessibility', async () => {
    const { inspect, book } = withChecker('epubcheck', epubCheckReport)
    const { code, err } = await inspect(book, '--epubcheck', '--accessibility')
    expect({ code, message: JSON.parse(err).error.message }).toEqual({
      code: 2,
      message: '--epubcheck does not go with --accessibility',
    })
  })

  it('says that it is not installed before it reads a book', async () => {
    const { inspect, book } = withChecker('something-else', '')
    const { code, out, err } = await inspect(book, '--ace')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err).error).toMatchObject({
      code: 'checker_missing',
      message: 'Ace is not installed: there is no ace on the PATH',
    })
  })

  it.each(['', 'Exception in thread "main"', '{"messages":'])('fails where it prints "%s"', async prints => {
    const { inspect, book } = withChecker('epubcheck', prints)
    const { code, err } = await inspect(book, '--epubcheck')
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'checker_failed' })
  })

  it('runs a jar by java', async () => {
    const { home } = withChecker('epubcheck', '')
    writeFileSync(join(home, 'bin', 'epubcheck'), 'PK\x03\x04')
    const path = join(home, 'bin', 'epubcheck')
    expect(await findChecker(epubCheck, { PATH: join(home, 'bin') })).toEqual({
      name: 'EPUBCheck',
      command: 'java',
      args: ['-jar', path],
    })
  })
})

const isInstalled = await findChecker(epubCheck, process.env).then(
  () => true,
  () => false,
)

it.skipIf(!isInstalled)('the real EPUBCheck is understood', { timeout: 60_000 }, async () => {
  const { run, home } = machine()
  const book = join(home, 'book.epub')
  writeFileSync(book, makeBook({ manifest: '<item id="x" href="gone.png" media-type="image/png"/>' }))
  const { code, out } = await run(['inspect', book, '--epubcheck', '--json'], {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  expect(code).toBe(2)
  expect(JSON.parse(out).problems).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      code: 'RSC-001',
      message: expect.stringMatching(/EPUBCheck/),
    }),
  )
})
