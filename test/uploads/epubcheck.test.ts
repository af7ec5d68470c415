import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { Receipt } from '../../src/uploads/receipt.ts'
import { makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { startAgent } from '../support/machine/agent.ts'
import { environment, startBin } from '../support/machine/bin.ts'
import { enginesOf, epubCheckPackage, isAlive } from '../support/machine/epubcheck-package.ts'
import { fakeEpubCheck, fakeProgram, fakeText } from '../support/machine/fake-epubcheck.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { machine, type Options } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** A machine with a folder of books of these names, each with its own title, and an EPUBCheck of a version on its PATH. */
function withBooks(names: readonly string[], version?: string) {
  const own = machine()
  const [folder, programs] = [join(own.home, 'books'), join(own.home, 'programs')]
  mkdirSync(folder)
  for (const name of names)
    writeFileSync(
      join(folder, name),
      name.endsWith('.pdf')
        ? makePdf({ info: `/Title (Title ${name})` })
        : makeBook({
            metadata: `<dc:title>Title ${name}</dc:title><dc:creator>C</dc:creator><dc:language>en</dc:language>`,
          }),
    )
  const PATH = fakeEpubCheck(programs, version)
  return {
    ...own,
    folder,
    programs,
    env: { PATH },
    by: fakeText(programs, version),
    checked: () =>
      existsSync(join(programs, 'checked'))
        ? readFileSync(join(programs, 'checked'), 'utf8')
            .trimEnd()
            .split('\n')
            .map(path => basename(path))
        : [],
    /** Runs a command line against the sandbox with this EPUBCheck. */
    sandbox: (args: readonly string[], options: Options = {}) =>
      own.sandbox(args, { ...options, env: { PATH, ...options.env } }),
    titles: async () =>
      JSON.parse((await own.sandbox(['publications', 'list', '--all', '--json'])).out).map(
        ({ title }: { title: string }) => title,
      ),
  }
}

const upload = ['publications', 'upload', '--no-wait', '--epubcheck', '--json']

const byFile = (out: string): Record<string, Receipt> =>
  Object.fromEntries((JSON.parse(out) as Receipt[]).map(each => [basename(each.file ?? ''), each]))

describe('an upload with --epubcheck', () => {
  it('refuses the books in which EPUBCheck finds errors, and that which ends it, and sends the others', async () => {
    const { sandbox, folder, programs, checked, titles } = withBooks([
      ...['dead.epub', 'odd.epub', 'paper.pdf', 'sound.epub', 'wrong.epub'],
    ])
    const { code, out } = await sandbox([...upload, folder])
    const receipts = byFile(out)
    const checkedBy = [{ name: 'EPUBCheck', version: '5.3.0', engine: fakeProgram(programs) }]
    expect(code).toBe(10)
    expect(receipts['wrong.epub']).toMatchObject({
      ...{ outcome: 'failed', checkedBy },
      error: {
        code: 'book_unfit',
        exitCode: 2,
        details: [
          {
            code: 'RSC-099',
            message: 'It is wrong (EPUBCheck).',
            path: ['EPUB/package.opf:3'],
            hint: 'Do this.',
          },
        ],
      },
    })
    expect(receipts['dead.epub']).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'book_unfit',
        details: [
          { code: 'checker_failed', message: 'EPUBCheck did not check the book: it printed no report.' },
        ],
      },
    })
    expect(receipts['dead.epub']).not.toHaveProperty('checkedBy')
    expect(receipts['odd.epub']).toMatchObject({
      ...{ outcome: 'uploaded', error: null, checkedBy },
      warnings: [{ code: 'OPF-099', message: expect.stringMatching(/: It is odd \(EPUBCheck\)\.$/) }],
    })
    expect(receipts['sound.epub']).toMatchObject({ outcome: 'uploaded', error: null, checkedBy })
    expect(receipts['paper.pdf']).toMatchObject({ outcome: 'uploaded', error: null })
    expect(receipts['paper.pdf']).not.toHaveProperty('checkedBy')
    expect(checked().sort()).toEqual(['dead.epub', 'odd.epub', 'sound.epub', 'wrong.epub'])
    expect((await titles()).filter((title: string) => title.startsWith('Title ')).sort()).toEqual([
      ...['Title odd.epub', 'Title paper.pdf', 'Title sound.epub'],
    ])
  })

  it('ends with the code of a single book, and says who has checked it', async () => {
    const { sandbox, folder, by, titles } = withBooks(['wrong.epub', 'odd.epub', 'sound.epub'])
    const wrong = join(folder, 'wrong.epub')
    const refused = await sandbox(['publications', 'upload', '--epubcheck', wrong], { columns: 200 })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('EPUB/package.opf:3: It is wrong (EPUBCheck).')
    expect(refused.err).toContain(`Checked by ${by}.`)
    const asJson = await sandbox([...upload, wrong])
    expect(JSON.parse(asJson.err).error).toMatchObject({
      code: 'book_unfit',
      checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }],
    })
    const odd = [...upload, join(folder, 'odd.epub')]
    expect((await sandbox([...odd, '--strict'])).code).toBe(2)
    expect((await sandbox(odd)).code).toBe(0)
    const sent = await sandbox(['publications', 'upload', '--epubcheck', join(folder, 'sound.epub')], {
      columns: 200,
    })
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining(by)])
    expect(await titles()).not.toContain('Title wrong.epub')
  })

  it.each([
    ['publications create', ['publications', 'create']],
    ['editions upload', ['editions', 'upload', 'pub_sea']],
    ['editions create', ['editions', 'create', 'pub_sea']],
  ])('is asked by %s, too', async (_, command) => {
    const { sandbox, folder, checked } = withBooks(['wrong.epub', 'sound.epub'])
    const made = byFile(
      `[${(await sandbox(['publications', 'upload', join(folder, 'sound.epub'), '--no-wait', '--json'])).out}]`,
    )
    const id = made['sound.epub']?.publicationId ?? ''
    const at = (name: string) => [
      ...command.map(word => (word === 'pub_sea' ? id : word)),
      join(folder, name),
      ...['--epubcheck', '--json', '--title', 'Another'],
    ]
    const refused = await sandbox(at('wrong.epub'))
    expect([refused.code, JSON.parse(refused.err).error.details[0].code]).toEqual([2, 'RSC-099'])
    const dry = JSON.parse((await sandbox([...at('sound.epub'), '--dry-run'])).out)
    expect(dry[0].checkedBy).toMatchObject([{ name: 'EPUBCheck', version: '5.3.0' }])
    const created = await sandbox(at('sound.epub'))
    expect(created.code).toBe(0)
    if (command.includes('create'))
      expect(JSON.parse(created.out).checkedBy).toMatchObject([{ name: 'EPUBCheck', version: '5.3.0' }])
    expect(checked()).toEqual(['wrong.epub', 'sound.epub', 'sound.epub'])
  })

  it('says who has checked each book in every report, and how to try again with the same check', async () => {
    const { sandbox, home, folder, by } = withBooks(['sound.epub', 'wrong.epub'])
    for (const ending of ['json', 'ndjson', 'csv', 'html', 'xml']) {
      const report = join(home, `receipts.${ending}`)
      const { code, err } = await sandbox([
        ...['publications', 'upload', '--no-wait', '--again', '--epubcheck', folder, '--report', report],
      ])
      expect(code).toBe(10)
      expect(err).toContain(`Checked by ${by}.`)
      expect(err).toMatch(/publications upload --manifest \S+failed\.csv --epubcheck\n/)
      const text = readFileSync(report, 'utf8')
      if (/json/.test(ending)) expect(text.match(/"checkerVersion"|"version": ?"5\.3\.0"/g)).toHaveLength(2)
      else expect(text.split(by)).toHaveLength(3)
    }
  })

  it('shows in a dry run what it would refuse, and who says so', async () => {
    const { sandbox, folder, titles } = withBooks(['sound.epub', 'wrong.epub'])
    const before = await titles()
    const { code, out, err } = await sandbox([...upload, folder, '--dry-run'])
    expect(code).toBe(10)
    expect(JSON.parse(out)).toMatchObject([
      { action: 'create', checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }] },
    ])
    expect(JSON.parse(err).error.details[0].message).toContain('wrong.epub')
    expect(await titles()).toEqual(before)
  })

  it('shows a terminal the first of a hundred attributes that it names, and keeps all in JSON and reports', async () => {
    const { sandbox, folder, home } = withBooks(['listed.epub', 'sound.epub'])
    const report = join(home, 'report.csv')
    const args = ['inspect', join(folder, 'listed.epub'), '--epubcheck']
    const shown = await sandbox([...args, '--report', report], { columns: 80 })
    const text = shown.out.replace(/\s+/g, ' ')
    expect(text).toContain(
      'attribute "a" not allowed here; expected attribute "onevent0", "onevent1", "onevent2" or one of 88 others (with x="y") (EPUBCheck).',
    )
    expect(text).not.toContain('onevent3')
    expect(readFileSync(report, 'utf8')).toContain('onevent89')
    expect((await sandbox([...args, '--json'])).out).toContain('onevent89')
    const batch = ['publications', 'upload', folder, '--epubcheck', '--no-wait']
    const sent = (await sandbox(batch, { columns: 80 })).out.replace(/\s+/g, ' ')
    expect(sent).toContain('"onevent2" or one of 88 others')
  })

  it('cannot be given with --no-check', async () => {
    const { sandbox, folder, checked } = withBooks(['sound.epub'])
    const { code, err } = await sandbox([...upload, folder, '--no-check'])
    expect([code, JSON.parse(err).error.message]).toEqual([2, '--epubcheck cannot be used with --no-check'])
    expect(checked()).toEqual([])
  })

  it('warns once of a version that is too old', async () => {
    const { sandbox, folder } = withBooks(['a.epub', 'b.epub', 'wrong.epub'], '4.2.6')
    const batch = await sandbox([...upload, folder])
    expect(batch.err.match(/checker_outdated/g)).toHaveLength(1)
    const single = await sandbox([...upload, join(folder, 'wrong.epub')])
    expect([single.code, single.err]).toEqual([2, expect.stringContaining('checker_outdated')])
  })

  // Windows sends a process no signal that it could handle.
  it.skipIf(process.platform === 'win32')(
    'keeps the books of a batch that is interrupted while it checks, and has them checked when they are resumed',
    async () => {
      const { sandbox, home, folder, programs, env, checked, titles } = withBooks([
        ...['a.epub', 'slow.epub', 'wrong.epub', 'z.epub'],
      ])
      const running = startBin(['--profile', 'sandbox', ...upload, folder], { HOME: home, ...env })
      await expect.poll(checked, { interval: 20 }).toContain('slow.epub')
      running.kill('SIGINT')
      const { exitCode, stderr } = await running
      expect([exitCode, stderr]).toEqual([130, expect.stringContaining('uploads resume')])
      writeFileSync(join(programs, 'go'), '')
      const { out } = await sandbox(['uploads', 'resume', '--no-wait', '--json'])
      const receipts = byFile(out)
      for (const name of ['slow.epub', 'z.epub'])
        expect(receipts[name]).toMatchObject({ outcome: 'uploaded', checkedBy: [{ version: '5.3.0' }] })
      expect(await titles()).not.toContain('Title wrong.epub')
    },
  )

  it('keeps a watcher from sending the book of a row, and says why', async () => {
    const { sandbox, folder } = withBooks(['sound.epub', 'wrong.epub'])
    writeFileSync(
      join(folder, 'books.csv'),
      'file,isbn\nsound.epub,9783161484100\nwrong.epub,9780306406157\n',
    )
    const once = [
      'watch',
      folder,
      '--once',
      '--quiet-period',
      '0s',
      '--scan',
      '20ms',
      '--epubcheck',
      '--json',
    ]
    const dry = await sandbox([...once, '--dry-run'])
    expect(JSON.parse(dry.out).map(({ action }: { action: string }) => action)).toEqual(['create', 'broken'])
    const { code } = await sandbox(once)
    expect(code).toBe(10)
    const receipt = JSON.parse(readFileSync(join(folder, 'failed/wrong.epub.receipt.json'), 'utf8'))
    expect(receipt).toMatchObject({
      error: { message: expect.stringContaining('It is wrong (EPUBCheck)') },
      checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }],
    })
    expect(JSON.parse(readFileSync(join(folder, 'done/sound.epub.receipt.json'), 'utf8'))).toMatchObject({
      checkedBy: [{ version: '5.3.0' }],
    })
  })

  it('is asked wherever a profile is used that has it', async () => {
    const { home, run, folder, env, checked } = withBooks(['wrong.epub', 'sound.epub'])
    const [wrong, key] = [join(folder, 'wrong.epub'), join(home, 'key')]
    writeFileSync(key, 'a-key-of-some-length')
    const setup = [
      ...['profile', 'setup', 'work', '--base-url', 'https://api.example', '--api-key-file', key],
      ...['--no-verify', '--json'],
    ]
    const codesOf = async (...args: string[]) => {
      const { out } = await run(['inspect', wrong, '--json', ...args], { env })
      return JSON.parse(out).problems.map(({ code }: { code: string }) => code)
    }
    expect(JSON.parse((await run(setup, { env })).out).epubcheck).toBe(false)
    expect(await codesOf()).not.toContain('RSC-099')
    expect(JSON.parse((await run([...setup, '--epubcheck'], { env })).out).epubcheck).toBe(true)
    expect(await codesOf()).toContain('RSC-099')
    expect(await codesOf('--no-epubcheck')).not.toContain('RSC-099')
    expect(await codesOf('--profile', 'sandbox')).not.toContain('RSC-099')
    const refused = await run(['publications', 'upload', wrong, '--json'], { env })
    expect([refused.code, JSON.parse(refused.err).error.details[0].code]).toEqual([2, 'RSC-099'])
    const before = checked().length
    await run(['publications', 'upload', wrong, '--no-check', '--dry-run', '--json'], { env })
    await run(['publications', 'upload', wrong, '--no-epubcheck', '--dry-run', '--json'], { env })
    expect(checked()).toHaveLength(before)
    const config = join(home, '.config/pubctl/config.json')
    writeFileSync(config, readFileSync(config, 'utf8').replace('"epubcheck": true', '"epubcheck": "yes"'), {
      mode: 0o600,
    })
    const unfit = await run(['inspect', wrong, '--json'], { env })
    expect([unfit.code, JSON.parse(unfit.err).error]).toMatchObject([
      2,
      { code: 'unfit_profile', message: expect.stringContaining('neither true nor false') },
    ])
  })

  it('keeps a book whose check Ctrl-C ends before pubctl gets it', async () => {
    const { sandbox, folder } = withBooks(['halted.epub', 'z.epub'])
    expect((await sandbox([...upload, folder])).code).toBe(130)
    const left = JSON.parse((await sandbox(['uploads', 'list', '--json'])).out) as { file: string }[]
    expect(left.map(({ file }) => basename(file))).toContain('halted.epub')
  })
})

// Linux alone shows the processes of another one in files.
describe.skipIf(process.platform !== 'linux')('the package of EPUBCheck', () => {
  const withPackage = (names: readonly string[], program: string) => {
    const { home, folder } = withBooks(names)
    const start = (...args: string[]) =>
      execa(process.execPath, [program, '--profile', 'sandbox', ...args], {
        ...{ cwd: home, env: environment({ HOME: home, PATH: '' }), extendEnv: false, reject: false },
      })
    return { home, folder, start }
  }

  it('is one process for a batch, and a book that ends it costs itself alone', async () => {
    const { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage)
    const names = ['a.epub', 'b.epub', 'deadly.epub', 'later.epub', 'sound.epub']
    const { folder, start } = withPackage(names, bin)
    const { exitCode, stdout } = await start(...upload, folder)
    const receipts = byFile(stdout)
    const processOf = (name: string) => /process (\d+)/.exec(JSON.stringify(receipts[name]?.error))?.[1]
    expect(exitCode).toBe(10)
    const processes = ['a.epub', 'b.epub', 'later.epub'].map(processOf)
    for (const each of processes) expect(each).toMatch(/^\d+$/)
    // Two books are read at a time, so that the deadly one may be any of them; the one process after it is the second.
    expect(new Set(processes).size).toBeLessThanOrEqual(2)
    expect(receipts['deadly.epub']?.error?.details).toMatchObject([{ code: 'checker_failed' }])
    expect(receipts['sound.epub']).toMatchObject({
      outcome: 'uploaded',
      checkedBy: [{ name: 'EPUBCheck', version: '5.9.0', engine: 'epubcheck-standalone 5.9.0-build1' }],
    })
  })

  it('is one process for all that a watcher uploads, and ends with it', async () => {
    const { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage)
    const { folder, start } = withPackage([], bin)
    const watcher = start('watch', folder, '--epubcheck', '--quiet-period', '20ms', '--scan', '20ms')
    const processes: (string | undefined)[] = []
    for (const name of ['a.epub', 'b.epub']) {
      writeFileSync(join(folder, name), makeBook())
      const receipt = join(folder, 'failed', `${name}.receipt.json`)
      await expect.poll(() => existsSync(receipt), { interval: 20, timeout: 20_000 }).toBe(true)
      processes.push(/process (\d+)/.exec(readFileSync(receipt, 'utf8'))?.[1])
    }
    expect(processes[0]).toMatch(/^\d+$/)
    expect(processes[1]).toBe(processes[0])
    watcher.kill('SIGTERM')
    expect((await watcher).exitCode).toBe(143)
    expect(isAlive(processes[0] ?? '')).toBe(false)
  })

  it('is missing, and what to install is said before anything is sent, also when a batch is resumed', async () => {
    const { bin } = programBesidePackages('epubcheck-standalone')
    const { home, folder, start } = withPackage(['a.epub'], bin)
    const watch = ['watch', '--once', '--epubcheck', '--json']
    for (const args of [upload, [...upload, '--dry-run'], watch]) {
      const { exitCode, stdout, stderr } = await start(...args, folder)
      expect({ exitCode, stdout, error: JSON.parse(stderr).error }).toMatchObject({
        ...{ exitCode: 2, stdout: '' },
        error: { code: 'checker_missing', hint: expect.stringContaining('npm install --global') },
      })
    }
    const PATH = fakeEpubCheck(join(home, 'waiting'))
    writeFileSync(join(folder, 'slow.epub'), makeBook())
    const running = startBin(['--profile', 'sandbox', ...upload, folder], { HOME: home, PATH })
    await expect.poll(() => existsSync(join(home, 'waiting/checked')), { interval: 20 }).toBe(true)
    running.kill('SIGINT')
    await running
    const resumed = await start('uploads', 'resume', '--json')
    expect([resumed.exitCode, JSON.parse(resumed.stderr).error]).toMatchObject([
      2,
      { code: 'checker_missing', hint: expect.stringContaining('These uploads were begun with --epubcheck') },
    ])
    expect(JSON.parse((await start('uploads', 'list', '--json')).stdout)).not.toEqual([])
  })

  it('ends with the command of an agent, and not only with the agent', async () => {
    const { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage)
    const { home } = withPackage(['a.epub', 'b.epub'], bin)
    const { call, transport } = await startAgent(['--root', home], { home, program: bin, env: { PATH: '' } })
    const { data } = await call('inspect', { file: ['books'], epubcheck: true })
    expect(data).toContain('EPUBCheck')
    await expect.poll(() => enginesOf({ pid: transport.pid ?? 0 }), { interval: 20 }).toEqual([])
  })

  it.runIf(isSlow)(
    'that a book takes for good is ended after its time, and the others are sent',
    {
      timeout: 900_000,
    },
    async () => {
      const { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage)
      const { folder, start } = withPackage(['endless.epub', 'sound.epub'], bin)
      const { exitCode, stdout } = await start(...upload, folder)
      expect(exitCode).toBe(10)
      expect(byFile(stdout)).toMatchObject({
        'endless.epub': {
          error: { details: [{ message: 'EPUBCheck did not check the book: it took too long.' }] },
        },
        'sound.epub': { outcome: 'uploaded' },
      })
    },
  )
})

describe.runIf(isSlow)('the real EPUBCheck', { timeout: 400_000 }, () => {
  it('keeps the one book from being sent that is wrong, and lets the other go', async () => {
    const own = machine()
    const wrong = makeBook({ manifest: '<item id="x" href="gone.png" media-type="image/png"/>' })
    writeFileSync(join(own.home, 'a wrong.epub'), wrong)
    writeFileSync(join(own.home, 'b sound.epub'), await makeExampleEpub({ title: 'Sound' }))
    const { code, out } = await own.sandbox([...upload, own.home], { env: { PATH: '' } })
    const checkedBy = [{ name: 'EPUBCheck', version: '5.4.0', engine: 'epubcheck-standalone 5.4.0-build3' }]
    expect(code).toBe(10)
    expect(byFile(out)).toMatchObject({
      'a wrong.epub': {
        checkedBy,
        error: {
          code: 'book_unfit',
          details: expect.arrayContaining([
            expect.objectContaining({
              code: 'resource_missing',
              message: expect.stringContaining('(EPUBCheck as well: RSC-001)'),
            }),
          ]),
        },
      },
      'b sound.epub': { outcome: 'uploaded', checkedBy, error: null },
    })
  })
})
