import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBooks } from '../support/books/book-folder.ts'
import { eicar } from '../support/books/eicar.ts'
import { environment, startBin } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

/** A folder of books, and a service for them. */
async function scene(count: number, faults?: Parameters<typeof bookService>[0]) {
  const folder = temporaryFolder()
  const books = join(folder, 'books')
  await makeBooks(books, count)
  const service = await bookService(faults)
  const self = machine(service.env)
  const outcomes = (out: string) => JSON.parse(out).map(({ outcome }: { outcome: string }) => outcome)
  return { folder, books, ...service, ...self, outcomes }
}

/** The steps that a dry run prints: each with its action and the methods of its requests. */
const planOf = (out: string): string[][] =>
  JSON.parse(out).map(({ action, requests }: { action: string; requests: { method: string }[] }) => [
    action,
    ...requests.map(({ method }) => method),
  ])

/** Refuses what is to be made. */
const notToday = {
  ...{ to: / .v1.publications$/, status: 400, body: { error: 'INVALID_REQUEST', message: 'Not today.' } },
}

describe('a batch', () => {
  it.skipIf(process.platform === 'win32')(
    'has written its report and failed.csv before it shows anything',
    async () => {
      const { books, folder, env } = await scene(2)
      writeFileSync(join(books, 'broken.epub'), 'not a book')
      const report = join(folder, 'report.json')
      const { exitCode, stderr } = await execa(
        'sh',
        [
          ...['-c', '"$0" "$@" > /dev/full', process.execPath, bin],
          ...['publications', 'upload', books, '--report', report, '--no-wait'],
        ],
        { reject: false, env: environment(env), extendEnv: false },
      )
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ENOSPC') })
      expect(JSON.parse(readFileSync(report, 'utf8'))).toHaveLength(3)
      expect(readFileSync(join(folder, 'failed.csv'), 'utf8')).toContain('broken.epub')
    },
  )

  it.runIf(isSlow)(
    'begins no further file once one has failed with --stop-on-error, and resume does the rest',
    async () => {
      const { books, folder, run, made, faults, outcomes } = await scene(12, notToday)
      const report = join(folder, 'report.json')
      const stopped = await run([
        ...['publications', 'upload', books, '--stop-on-error', '--concurrency', '1', '--report', report],
      ])
      expect(stopped.code).toBe(10)
      const begun = JSON.parse(readFileSync(report, 'utf8')).filter(
        ({ error }: { error: { code: string } }) => error.code !== 'not_begun',
      ).length
      expect(begun).toBeLessThan(12)
      expect(stopped.err).toMatch(new RegExp(`${12 - begun} of 12 were not begun`))
      expect(stopped.out.match(/was not begun/g)).toHaveLength(12 - begun)
      faults.length = 0
      const resumed = await run(['uploads', 'resume', '--json'])
      expect({ code: resumed.code, outcomes: outcomes(resumed.out) }).toEqual({
        code: 0,
        outcomes: Array.from({ length: 12 - begun }, () => 'uploaded'),
      })
      const fed = await run(['publications', 'upload', '--manifest', join(folder, 'failed.csv'), '--json'])
      expect({ code: fed.code, made: made.length }).toEqual({ code: 0, made: 12 })
      expect(outcomes(fed.out).sort()).toEqual([
        ...Array.from({ length: 12 - begun }, () => 'skipped'),
        ...Array.from({ length: begun }, () => 'uploaded'),
      ])
    },
  )

  it.each(['json', 'ndjson', 'csv'])(
    'gives each file that was not begun a receipt as well: %s',
    async format => {
      const { books, run } = await scene(5, notToday)
      const report = join(temporaryFolder(), 'receipts.json')
      const args = ['publications', 'upload', books, '--stop-on-error', '--concurrency', '1', '-o', format]
      const { code, out } = await run([...args, '--fields', 'file,outcome,error.message', '--report', report])
      expect(code).toBe(10)
      expect(out.match(/\.epub/g)).toHaveLength(5)
      expect(out.match(/was not begun/g)?.length).toBeGreaterThan(0)
      expect(out.match(/Not today|was not begun/g)).toHaveLength(5)
    },
  )

  it('goes on with a file whose attempts all failed in passing, once the others had their turn', async () => {
    const { books, run, made, outcomes } = await scene(3, {
      ...{ to: /^PUT .put.p0/, times: 6, status: 503, headers: { 'retry-after': '0' } },
    })
    const { code, out } = await run(['publications', 'upload', books, '--json'])
    expect({ code, made: made.length, outcomes: outcomes(out) }).toEqual({
      code: 0,
      made: 3,
      outcomes: ['uploaded', 'uploaded', 'uploaded'],
    })
  })

  it('says at a terminal what failed, why and what to do, each once, and counts the others', async () => {
    const folder = temporaryFolder()
    const files = ['text.epub', 'infected.epub', 'missing.epub'].map(name => join(folder, name))
    writeFileSync(join(folder, 'text.epub'), 'no book')
    writeFileSync(
      join(folder, 'infected.epub'),
      await makeExampleEpub({ extraEntries: { 'notes.txt': eicar } }),
    )
    writeFileSync(join(folder, 'fine.epub'), await makeExampleEpub({ title: 'A Fine Book' }))
    const { sandbox } = machine()
    const upload = ['publications', 'upload', ...files, join(folder, 'fine.epub'), '--color', 'never']
    const report = ['--report', join(folder, 'report.json')]
    const { code, out, err } = await sandbox([...upload, ...report], { columns: 200 })
    const shown = out.replaceAll(join(folder, '/'), '').replace(/pub_\w+/g, 'pub_1')
    expect({ code, shown }).toEqual({
      code: 10,
      shown: `failed: text.epub
  It is a text file, not a book.
  The service takes EPUB, PDF and LPF audiobooks.
failed: The Publisher’s First Upload (infected.epub)
  It was quarantined: the security scan found something in it; pub_1 has no usable file; to delete it: pubctl publications delete pub_1
  Check the file with a virus scanner; the service keeps it locked away.
failed: missing.epub
  Cannot read missing.epub: there is no such file.
  Check the name and the folder.
`,
    })
    // What comes before is the live line, which is gone.
    const told = err.split('\u001b[?25h').at(-1) ?? ''
    expect(
      told
        .replaceAll(folder, '.')
        .replaceAll('\\', '/')
        .replace(/(?<=with:)\n/, ' '),
    ).toBe(
      `What failed is in ./failed.csv; try it again with: pubctl --profile sandbox publications upload --manifest ./failed.csv
error: 3 of 4 failed, 1 uploaded
`,
    )
    const verbose = await sandbox([...upload, ...report, '--again', '--verbose'], { columns: 200 })
    expect(verbose.out).toMatch(/^failed: [\s\S]*\nTITLE +FILE .*\nA Fine Book +\S+fine\.epub .* uploaded /)
  })

  it('gives a list for whatever may be several, however many it is', async () => {
    const { books, run } = await scene(1)
    const [file = ''] = readdirSync(books).map(name => join(books, name))
    const shapes = [[books], [`${books}/*.epub`], [file]].map(async args =>
      Array.isArray(JSON.parse((await run(['publications', 'upload', ...args, '--json'])).out)),
    )
    expect(await Promise.all(shapes)).toEqual([true, true, false])
  })

  it('skips with --skip-existing what the journal knows and the service still has, and what is there twice', async () => {
    const { books, folder, run, made, outcomes } = await scene(3)
    await run(['publications', 'upload', books])
    const copies = join(folder, 'copies')
    mkdirSync(copies)
    for (const name of readdirSync(books)) copyFileSync(join(books, name), join(copies, `copy of ${name}`))
    const copied = await run(['publications', 'upload', copies, '--skip-existing', '--json'])
    expect(outcomes(copied.out)).toEqual(['skipped', 'skipped', 'skipped'])
    const elsewhere = machine({
      PUBCTL_API_KEY: 'canary-key-0123456789',
      PUBCTL_BASE_URL: made.length ? (await bookService()).url : '',
    })
    const twice = await elsewhere.run(['publications', 'upload', books, copies, '--skip-existing', '--json'])
    expect(outcomes(twice.out).sort()).toEqual([
      'skipped',
      'skipped',
      'skipped',
      'uploaded',
      'uploaded',
      'uploaded',
    ])
    // Deleted since: what the journal says is not enough.
    made.length = 0
    const again = await run(['publications', 'upload', copies, '--skip-existing', '--json'])
    expect(outcomes(again.out)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  })

  it('plans every file with --dry-run, and names every one that is unfit', async () => {
    const { books, run, log, home } = await scene(3)
    const fit = await run(['publications', 'upload', books, '--dry-run', '--json', '--cover', 'none'])
    expect(planOf(fit.out)).toEqual(Array.from({ length: 3 }, () => ['create', 'POST', 'PUT']))
    for (const name of ['x.epub', 'y.pdf']) writeFileSync(join(books, name), 'no book')
    const unfit = await run(['publications', 'upload', books, '--dry-run', '--json'])
    expect(JSON.parse(unfit.err).error.details).toHaveLength(2)
    expect({ log, kept: existsSync(join(home, '.local')) }).toEqual({ log: [], kept: false })
  })

  it.runIf(isSlow)(
    'plans with --dry-run nothing that the journal knows as sent, and leaves the journal as it is',
    async () => {
      const { books, folder, run, home, log, faults } = await scene(4)
      const [first = '', second = '', third = '', fourth = ''] = readdirSync(books).map(name =>
        join(books, name),
      )
      const upload = (...args: string[]) => run(['publications', 'upload', '--cover', 'none', ...args])
      await upload(first)
      await upload(second, '--no-wait')
      faults.push({ to: 'PUT', does: 'hang' })
      const stop = new AbortController()
      const broken = run(['publications', 'upload', '--cover', 'none', third], { signal: stop.signal })
      await expect.poll(() => log.filter(route => route.startsWith('PUT')).length).toBe(3)
      stop.abort()
      await broken
      const journal = join(home, '.local/share/pubctl/uploads.db')
      const before = readFileSync(journal)
      log.length = 0

      const planned = async (...args: string[]) => planOf((await upload(...args, '--dry-run', '--json')).out)
      const whole = [['skip'], ['wait'], ['resume', 'PUT'], ['create', 'POST', 'PUT']]
      expect(await planned(books)).toEqual(whole)
      expect(await planned(books, '--recursive')).toEqual(whole)
      writeFileSync(join(folder, 'sheet.csv'), ['file', first, fourth, fourth].join('\n'))
      expect(await planned('--manifest', join(folder, 'sheet.csv'))).toEqual([
        ['skip'],
        ['create', 'POST', 'PUT'],
        ['skip'],
      ])
      const copy = join(folder, 'copy.epub')
      copyFileSync(first, copy)
      expect(await planned(copy)).toEqual([['skip']])
      expect(await planned(copy, '--again')).toEqual([['create', 'POST', 'PUT']])
      const { out, err } = await upload(books, '--dry-run')
      expect(err).toBe('')
      expect(
        out
          .trim()
          .split('\n')
          .map(line => line.split('\t')),
      ).toEqual([
        ['Book 000', first, 'skip', 'p0', '', 'p0 has the same content', '', ''],
        ['Book 001', second, 'wait', 'p1', '', 'it was sent before', '', ''],
        ['Book 002', third, 'resume', 'p2', 'PUT', 'it was begun before', '', ''],
        ['Book 003', fourth, 'create', '', 'POST; PUT', 'it has not been uploaded from here'],
      ])
      // Only what the journal knows is asked for, whether it is still there.
      expect(new Set(log)).toEqual(new Set(['GET /v1/publications/p0']))
      log.length = 0
      expect(await planned(copy, '--skip-existing')).toEqual([['skip']])
      expect(log).toEqual(['GET /v1/publications/p0'])
      log.length = 0
      expect({ log, isSame: readFileSync(journal).equals(before) }).toEqual({ log: [], isSame: true })
    },
  )

  it.skipIf(process.platform === 'win32')(
    'follows links to books in a folder, and names those that lead nowhere',
    async () => {
      const { books, folder, run } = await scene(1)
      const links = join(folder, 'links')
      mkdirSync(links)
      const [name = ''] = readdirSync(books)
      symlinkSync(join(books, name), join(links, 'good.epub'))
      symlinkSync('loop.epub', join(links, 'loop.epub'))
      symlinkSync('nowhere.epub', join(links, 'torn.epub'))
      symlinkSync(books, join(links, 'folder.epub'))
      const { code, out } = await run([
        ...['publications', 'upload', links, '--json', '--report', join(folder, 'report.json')],
      ])
      expect(code).toBe(10)
      type Each = { file: string; outcome: string; error: { code: string } | null }
      expect(
        JSON.parse(out).map(({ file, outcome, error }: Each) => [
          file.slice(links.length + 1),
          outcome,
          error?.code,
        ]),
      ).toEqual([
        ['good.epub', 'uploaded', undefined],
        ['loop.epub', 'failed', 'file_unreadable'],
        ['torn.epub', 'failed', 'file_unreadable'],
      ])
    },
  )
})

describe.skipIf(process.platform === 'win32')('a batch that is interrupted', () => {
  const ends = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const
  it.each(share(ends, ends.length))(
    'by %s leaves a journal from which resume completes it, and says how',
    async (signal, exitCode) => {
      const own = await scene(20, { to: 'PUT', after: 3, does: 'hang' })
      const { books, home, env, run, made, log, met, faults } = own
      const child = startBin(['publications', 'upload', books, '--cover', 'none'], { HOME: home, ...env })
      await expect.poll(() => met.length).toBeGreaterThan(2)
      child.kill(signal)
      const ended = await child
      expect(ended.exitCode).toBe(exitCode)
      expect(ended.stderr).toMatch(/To continue where it stopped: pubctl uploads resume/)
      const createdBy = made.length
      expect(createdBy).toBeLessThan(20)

      faults.length = 0
      log.length = 0
      const resumed = await run(['uploads', 'resume', '--json'])
      expect(resumed.code).toBe(0)
      expect(made.filter(({ sent }) => sent !== undefined)).toHaveLength(20)
      expect(new Set(made.map(({ title }) => title)).size).toBe(20)
      // What had been created gets a session of its own from this process. Only a creation whose answer the signal cut off is asked
      // for again, at most one for each file that was under way, and gives the same publication.
      expect(made).toHaveLength(20)
      const creations = log.filter(route => route === 'POST /v1/publications').length
      expect(creations).toBeGreaterThanOrEqual(20 - createdBy)
      expect(creations).toBeLessThanOrEqual(20 - createdBy + 4)
      expect(log.filter(route => route === 'POST /v1/publication-uploads').length).toBeLessThanOrEqual(
        createdBy,
      )
      expect((await run(['uploads', 'list', '--json'])).out).toBe('[]\n')
    },
  )

  it('says how many were not begun', async () => {
    // More than are under way at a time.
    const { books, home, env, met } = await scene(70, { to: 'PUT', does: 'hang' })
    const args = ['publications', 'upload', books, '--cover', 'none', '--concurrency', '1']
    const child = startBin(args, { HOME: home, ...env })
    await expect.poll(() => met.length).toBeGreaterThan(0)
    child.kill('SIGINT')
    const { exitCode, stderr } = await child
    expect(exitCode).toBe(130)
    expect(stderr).toMatch(/^[1-9]\d* of 70 were not begun\.$/m)
  })

  it('twice ends at once', async () => {
    const { books, home, env, log } = await scene(2, { to: 'PUT', does: 'hang' })
    const child = startBin(['publications', 'upload', books], { HOME: home, ...env })
    await expect.poll(() => log.some(route => route.startsWith('PUT'))).toBe(true)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect((await child).exitCode).toBe(130)
  })
})
