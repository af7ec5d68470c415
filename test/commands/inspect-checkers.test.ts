import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ace } from '../../src/books/ace.ts'
import { epubCheckProgram } from '../../src/books/epubcheck/index.ts'
import { findChecker } from '../../src/books/run-checker.ts'
import { makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { bin } from '../support/machine/bin-path.ts'
import { canary } from '../support/machine/canary.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

/** A machine with a book, on whose PATH a program of a name prints something and ends with a code, by default 1 as for errors. */
function withChecker(name: string, prints: string, complains = '', code = 1) {
  const { run, home } = machine()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(home, 'report'), prints)
  writeFileSync(join(home, 'complaints'), complains)
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nenv > "${home}/env"\necho "$@" > "${home}/args"\ncat "${home}/complaints" >&2\ncat "${home}/report"\nexit ${code}\n`,
  )
  chmodSync(join(bin, name), 0o755)
  const book = join(home, '-a book.epub')
  writeFileSync(book, makeBook())
  const env = {
    PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
    PUBCTL_API_KEY: canary,
    PUPPETEER_EXECUTABLE_PATH: '/opt/browser',
  }
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

/** A finding in the form in which Ace prints it. Those of its own are about a whole document, and have no element. */
const aceFinding = (title: string, result: string, rule: string, element?: string, page = '') => ({
  '@type': 'earl:assertion',
  'earl:result': {
    'earl:outcome': 'fail',
    'dct:description': result,
    ...(element && { 'earl:pointer': { cfi: ['/4/2/6'], css: [element, element] }, html: '<img />' }),
  },
  'earl:assertedBy': element ? 'aXe' : 'Ace',
  'earl:mode': 'automatic',
  'earl:test': {
    'earl:impact': 'serious',
    'dct:title': title,
    'dct:description': `Ensures ${title}`,
    help: { ...(page && { url: page }), 'dct:title': title, 'dct:description': rule },
    rulesetTags: ['EPUB'],
  },
})

const missingAlt = (element: string) =>
  aceFinding(
    'image-alt',
    'Element does not have an alt attribute\naria-label attribute does not exist or is empty\nElement has no title attribute',
    'Images must have alternative text',
    element,
    'http://kb.daisy.org/images.html',
  )

// Ace 1.4 gives the navigation document from the root of the book for its own findings, and pages from the package document.
const aceReport = `\x1b[32minfo\x1b[39m:    Processing {a} book.epub\n${JSON.stringify(
  {
    '@type': 'earl:report',
    'dct:title': 'Ace Report',
    'earl:testSubject': { url: '/home/book.epub', metadata: { 'dc:title': 'A Book' } },
    assertions: [
      {
        'earl:testSubject': { url: '/EPUB/nav.xhtml' },
        assertions: [
          aceFinding(
            'epub-pagelist-broken',
            'Publication page list must reference all page breaks',
            'Include all page breaks.',
            undefined,
            'http://kb.daisy.org/pagelist.html',
          ),
        ],
      },
      {
        'earl:testSubject': { url: 'EPUB/package.opf', 'dct:title': 'A Book' },
        assertions: [
          aceFinding(
            'metadata-accessmode',
            "Publications must declare the 'schema:accessMode' metadata",
            "Add a 'schema:accessMode' metadata property",
            undefined,
            'http://kb.daisy.org/schema.html',
          ),
        ],
      },
      {
        'earl:testSubject': { url: 'text/one.xhtml', 'dct:title': 'One' },
        assertions: [missingAlt('section > img'), missingAlt('p > img')],
      },
      { 'earl:testSubject': { url: 'nav.xhtml' }, assertions: [], 'earl:result': { 'earl:outcome': 'pass' } },
    ],
    'earl:result': { 'earl:outcome': 'fail' },
  },
  null,
  2,
)}\n\x1b[32minfo\x1b[39m:    Closing logs.\n`

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

  it('names it on the card, and warns once of a version below 5', async () => {
    const report = JSON.stringify({ messages: [], checker: { checkerVersion: '4.2.6' } })
    const { book, home } = withChecker('epubcheck', report, '', 0)
    const env = { PATH: [join(home, 'bin'), '/usr/bin', '/bin'].join(delimiter) }
    const { run } = machine({}, home)
    const card = await run(['inspect', book, '--epubcheck'], { env, columns: 400 })
    expect(card.out).toContain(`EPUBCheck 4.2.6 (${join(home, 'bin/epubcheck')})`)
    const { code, err } = await run(['inspect', book, book, '--epubcheck', '--json'], { env })
    expect({
      code,
      lines: err
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    }).toMatchObject({
      code: 0,
      lines: [
        {
          warning: {
            code: 'checker_outdated',
            message: `the books were checked by EPUBCheck 4.2.6 (${join(home, 'bin/epubcheck')}), which does not know EPUB 3.3 and later`,
            hint: 'Install version 5 or later in its place.',
          },
        },
      ],
    })
  })

  it('says so of a program that ends with a failure and finds nothing', async () => {
    const { inspect, book } = withChecker('epubcheck', '{"messages":[]}', 'Exception in thread "main"')
    const { code, out } = await inspect(book, '--epubcheck')
    expect({ code, problems: JSON.parse(out).problems }).toMatchObject({
      code: 2,
      problems: [
        {
          code: 'checker_failed',
          message: 'EPUBCheck did not check the book: it ended with 1: Exception in thread "main".',
        },
      ],
    })
  })

  it('is interrupted by what a terminal sends to the program, of which pubctl hears last', async () => {
    const { inspect, book, home } = withChecker('epubcheck', '{"messages":[]}')
    writeFileSync(join(home, 'bin/epubcheck'), '#!/bin/sh\nkill -INT $$\n')
    const { code, out, err } = await inspect(book, '--epubcheck')
    expect({ code, out, error: JSON.parse(err).error.code }).toEqual({
      code: 130,
      out: '',
      error: 'interrupted',
    })
  })

  it('adds what Ace says as warnings, at the entries of the zip', async () => {
    const { inspect, book, home } = withChecker('ace', aceReport)
    const { code, out } = await inspect(book, '--ace')
    expect({ code, problems: JSON.parse(out).problems }).toEqual({
      code: 0,
      problems: [
        {
          severity: 'warning',
          code: 'epub-pagelist-broken',
          message: 'Publication page list must reference all page breaks (Ace).',
          place: 'EPUB/nav.xhtml',
          hint: 'Include all page breaks. See http://kb.daisy.org/pagelist.html',
        },
        {
          severity: 'warning',
          code: 'metadata-accessmode',
          message: "Publications must declare the 'schema:accessMode' metadata (Ace).",
          place: 'EPUB/package.opf',
          hint: "Add a 'schema:accessMode' metadata property. See http://kb.daisy.org/schema.html",
        },
        {
          severity: 'warning',
          code: 'image-alt',
          message: 'section > img: Element does not have an alt attribute. And 1 more of the kind (Ace).',
          place: 'EPUB/text/one.xhtml',
          hint: 'Images must have alternative text. See http://kb.daisy.org/images.html',
        },
      ],
    })
    expect(readFileSync(join(home, 'args'), 'utf8')).toBe(`${book}\n`)
  })

  it('finds Ace by the name that its smaller package installs, and passes on where its browser is', async () => {
    const { inspect, book, home } = withChecker('ace-cli', aceReport)
    const { code } = await inspect(book, '--ace')
    expect(code).toBe(0)
    expect(readFileSync(join(home, 'env'), 'utf8')).toContain('PUPPETEER_EXECUTABLE_PATH=/opt/browser')
  })

  it('lists the first of a thousand findings, and how many there are', async () => {
    const findings = Array.from({ length: 1000 }, (_, number) => ({
      'earl:testSubject': { url: `${number}.xhtml` },
      assertions: [aceFinding('image-alt', 'No alt', 'Images need it', 'img')],
    }))
    const { inspect, book } = withChecker('ace', JSON.stringify({ assertions: findings }))
    const { problems } = JSON.parse((await inspect(book, '--ace')).out)
    expect(problems).toHaveLength(21)
    expect(problems[20]).toMatchObject({
      severity: 'warning',
      code: 'more_problems',
      message: '980 more problems of the kind image-alt are not listed.',
    })
  })

  it('asks it about EPUBs alone', async () => {
    const { inspect, home } = withChecker('epubcheck', epubCheckReport)
    const pdf = join(home, 'a.pdf')
    writeFileSync(pdf, makePdf({ info: '/Title (A) /Author (B)', catalog: '/Lang (en)' }))
    const { code, out } = await inspect(pdf, '--epubcheck')
    expect({ code, problems: JSON.parse(out).problems }).toEqual({ code: 0, problems: [] })
  })

  it('cannot be used with --accessibility', async () => {
    const { inspect, book } = withChecker('epubcheck', epubCheckReport)
    for (const name of ['--epubcheck', '--ace']) {
      const { code, err } = await inspect(book, name, '--accessibility')
      expect({ code, error: JSON.parse(err).error }).toMatchObject({
        code: 2,
        error: {
          message: `${name} cannot be used with --accessibility`,
          hint: 'Run the two one after the other.',
        },
      })
    }
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

  it.each(['', 'Exception in thread "main"', '{"messages":'])(
    'says of which book it prints "%s"',
    async prints => {
      const { inspect, book, home } = withChecker('epubcheck', prints)
      const flawed = join(home, 'flawed.epub')
      writeFileSync(flawed, makeBook({ mimetype: null }))
      const { code, out, err } = await inspect(book, flawed, '--epubcheck')
      const [first, second] = JSON.parse(out)
      expect(first.problems).toEqual([
        {
          severity: 'error',
          code: 'checker_failed',
          message: 'EPUBCheck did not check the book: it printed no report.',
          hint: expect.stringContaining('by itself'),
        },
      ])
      expect(second.problems.map((problem: { code: string }) => problem.code)).toEqual([
        'checker_failed',
        'mimetype_missing',
      ])
      expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'book_unfit' })
    },
  )

  it('says why it prints no report', async () => {
    const complaint =
      "\x1b[31merror\x1b[39m:   Failed to check Content Document 'one.xhtml': no head\nat Frame.js:666"
    const { inspect, book } = withChecker('ace', 'Re-run Ace using the --verbose option', complaint)
    const { problems } = JSON.parse((await inspect(book, '--ace')).out)
    expect(problems[0].message).toBe(
      "Ace did not check the book: it printed no report: Failed to check Content Document 'one.xhtml': no head.",
    )
  })

  it.skipIf(process.platform === 'win32')(
    'starts no java and no checker of the current folder, whatever is on the PATH',
    () => {
      const home = temporaryFolder()
      const folder = join(home, 'books')
      mkdirSync(join(folder, 'bin'), { recursive: true })
      mkdirSync(join(home, 'bin'))
      writeFileSync(join(folder, 'book.epub'), makeBook())
      writeFileSync(join(home, 'bin/epubcheck'), 'PK\x03\x04', { mode: 0o755 })
      writeFileSync(join(home, 'bin/ace'), '#!/bin/sh\njava\n', { mode: 0o755 })
      for (const name of ['java', 'bin/java', 'epubcheck', 'bin/epubcheck'])
        writeFileSync(join(folder, name), `#!/bin/sh\n/bin/touch '${home}/ran'\n`, { mode: 0o755 })
      for (const around of [':', '::', '.:', 'bin:', './bin:']) {
        for (const checker of ['--epubcheck', '--ace']) {
          const PATH = `${around}${join(home, 'bin')}:`
          const env = { HOME: home, PATH }
          const { status, stdout } = spawnSync(
            process.execPath,
            [bin, 'inspect', 'book.epub', checker, '--json'],
            { env, cwd: folder, encoding: 'utf8' },
          )
          expect({ status, codes: stdout.match(/checker_failed/g) }, PATH).toEqual({
            status: 2,
            codes: ['checker_failed'],
          })
          expect(existsSync(join(home, 'ran')), PATH).toBe(false)
        }
      }
    },
  )

  it('runs a jar by java', async () => {
    const { home } = withChecker('epubcheck', '')
    writeFileSync(join(home, 'bin', 'epubcheck'), 'PK\x03\x04')
    const path = join(home, 'bin', 'epubcheck')
    expect(await findChecker(epubCheckProgram, { PATH: join(home, 'bin') })).toEqual({
      name: 'EPUBCheck',
      command: 'java',
      args: ['-Xmx2g', '-jar', path],
      variables: {},
    })
  })
})

/** What a checker of this machine finds in a book. */
async function realProblems(option: string, content: Buffer) {
  const { run, home } = machine()
  const book = join(home, 'book.epub')
  writeFileSync(book, content)
  const { out } = await run(['inspect', book, option, '--json'], {
    env: { PATH: process.env['PATH'] ?? '', ...browserVariables },
  })
  return JSON.parse(out).problems
}

const browserVariables = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^PUPPETEER_/.test(name) && value !== undefined ? [[name, value]] : [],
  ),
)

it.skipIf((await findChecker(ace, process.env)) === undefined)(
  'the real Ace is understood',
  { timeout: 180_000 },
  async () => {
    // It fails on a page without a head.
    const page = (body: string) =>
      `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>A</title></head><body>${body}</body></html>`
    const entries = {
      'EPUB/nav.xhtml': page('<nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li></ol></nav>'),
      'EPUB/one.xhtml': page('<p><input/><input/></p>'),
    }
    const problems = await realProblems('--ace', makeBook({ entries }))
    expect(problems).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        code: 'metadata-accessmode',
        message: expect.stringMatching(/\(Ace\)\.$/),
        place: 'EPUB/package.opf',
      }),
    )
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'label',
        message: expect.stringMatching(/And 1 more of the kind \(Ace\)\.$/),
        place: 'EPUB/one.xhtml',
        hint: expect.stringContaining('http'),
      }),
    )
  },
)
