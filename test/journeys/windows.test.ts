// The packed program under the real Node.js for Windows, where Wine is: npm run check:windows
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleEpub } from '../support/books/example-book.ts'
import { artefact } from '../support/machine/artefacts.ts'
import { tellingFlushes } from '../support/machine/flushes.ts'
import { noPackages } from '../support/machine/npm.ts'
import { readPage } from '../support/machine/pages.ts'
import { isSlow } from '../support/machine/slow.ts'
import { tutorial } from '../support/machine/tutorial.ts'
import { installOnWindows, type WindowsMachine } from '../support/machine/windows-machine.ts'
import { hasWine, windowsPath } from '../support/machine/wine.ts'

const sandbox = ['--profile', 'sandbox']
const upload = [...sandbox, 'publications', 'upload']
const ndjson = ['-o', 'ndjson']

describe.runIf(isSlow && hasWine)('on Windows', () => {
  let machine: WindowsMachine | undefined
  let books = ''

  beforeAll(async () => {
    machine = installOnWindows(await artefact('tarball'), mkdtempSync(join(tmpdir(), 'pubctl-windows-')))
    if (machine === undefined) return
    books = join(machine.home, 'spring list')
    mkdirSync(books)
    for (const [name, title] of [
      ['first.epub', 'First'],
      ['Second.EPUB', 'Second'],
      ['third.epub', 'Third'],
    ] as const)
      writeFileSync(join(books, name), await exampleEpub({ title }))
    writeFileSync(join(books, 'list.csv'), 'no book')
    writeFileSync(join(books, 'feed.csv'), 'isbn,title,file\n9783161484100,First,FIRST.epub\n')
  }, 300_000)

  afterAll(() => machine?.close())

  const use = (skip: (why: string) => never): WindowsMachine => machine ?? skip(noPackages)

  const rowsOf = (out: string): Record<string, unknown>[] =>
    out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))

  /** Commands, in order: what each is about, its arguments in the folder of the books, its exit code, and what it prints. */
  const commands: [string, readonly string[], number, RegExp][] = [
    ['the version', ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    ['the help', ['--help'], 0, /publications/],
    ['the help of a group', ['editions', '--help'], 0, /editions upload/],
    ['the help of a command', ['publications', 'upload', '--help'], 0, /--manifest/],
    ['a command that does not exist', ['publication', 'lst'], 2, /did you mean "publications"/],
    ['completions for PowerShell', ['completions', 'powershell'], 0, /Register-ArgumentCompleter/],
    ['the commands as JSON', ['commands', '--json'], 0, /"publications upload"|"upload"/],
    ['a book to try with', ['sandbox', 'book', 'made.epub', '--quiet', '--json'], 0, /made\.epub/],
    ['the look at a book', ['inspect', 'first.epub', '--json'], 0, /"title":"First"/],
    [
      'the look at a pattern, which no shell expands',
      ['inspect', '.\\*.epub', ...ndjson],
      0,
      /"First".*"Second"/s,
    ],
    ['the look at no book', ['inspect', 'list.csv', '--json'], 2, /"not_a_book"/],
    ['what is not there', ['inspect', 'none.epub'], 2, /cannot read none\.epub: there is no such file/],
    [
      'what an upload would do',
      [...upload, '*.EPUB', '--dry-run', ...ndjson],
      0,
      /first\.epub.*Second\.EPUB.*third\.epub/s,
    ],
    ['the upload of a book', [...upload, 'first.epub', ...ndjson], 0, /"outcome":"uploaded"/],
    [
      'the same file by a name of another case',
      [...upload, 'FIRST.EPUB', ...ndjson],
      0,
      /"outcome":"skipped"/,
    ],
    [
      'a file that is named twice',
      [...upload, 'Second.EPUB', 'SECOND.epub', ...ndjson],
      0,
      /^[^\n]*"uploaded"[^\n]*\n$/,
    ],
    ['one shard', [...upload, '.', '--shard', '1/2', '--report', 'receipts-1.ndjson', ...ndjson], 0, /epub/],
    ['another', [...upload, '.', '--shard', '2/2', '--report', 'receipts-2.ndjson', ...ndjson], 0, /epub/],
    ['a table of receipts', [...upload, '.', '--report', 'report.csv', ...ndjson], 0, /third\.epub/],
    ['a page of receipts', [...upload, '.', '--report', 'report.html', ...ndjson], 0, /third\.epub/],
    [
      'receipts by a pattern',
      ['receipts', 'merge', 'receipts-*.ndjson', '--out', 'all.ndjson', '--json'],
      0,
      /\[\]/,
    ],
    ['publications', [...sandbox, 'publications', 'list', ...ndjson, '--fields', 'title'], 0, /"First"/],
    ['publications as CSV', [...sandbox, 'publications', 'list', '-o', 'csv'], 0, /^"?publicationId/],
    ['a query', [...sandbox, 'publications', 'list', '--query', '[].title', '--json'], 0, /"Second"/],
    ['domains', [...sandbox, 'domains', 'list', '--json'], 0, /dom_/],
    [
      'a new domain',
      [...sandbox, 'domains', 'create', 'reader.example.org', '--json'],
      0,
      /reader\.example\.org/,
    ],
    ['metadata keys', [...sandbox, 'metadata-keys', 'list', '--json'], 0, /\[/],
    ['reader instances', [...sandbox, 'reader-instances', 'list', '--json'], 0, /\[/],
    ['API keys', [...sandbox, 'apikeys', 'list', '--json'], 0, /\[/],
    ['whoami', [...sandbox, 'whoami', '--json'], 0, /scopes/],
    ['fonts by a pattern', [...sandbox, 'assets', 'upload', 'no*.woff2'], 2, /no file matches no\*\.woff2/],
    ['a request of one’s own', [...sandbox, 'api', 'GET', '/v1/domains'], 0, /dom_/],
    [
      'a plan of a sheet',
      [...sandbox, 'catalogue', 'plan', 'F*.csv', '--out', 'plan.ndjson', ...ndjson],
      0,
      /"action"/,
    ],
    ['uploads that are finished', ['uploads', 'list', '--finished', ...ndjson], 0, /first\.epub/],
    [
      'a profile',
      [
        'profile',
        'setup',
        'work',
        '--base-url',
        'https://api.example.com',
        '--key-command',
        'echo k',
        '--no-verify',
      ],
      0,
      /work/,
    ],
    ['profiles', ['profile', 'list', ...ndjson], 0, /"name":"work"/],
    ['the removal of a profile', ['profile', 'remove', 'work', '--yes'], 0, /work/],
    [
      'a service that is down',
      ['--base-url', 'http://127.0.0.1:9', '--api-key-file', 'key.txt', 'domains', 'list'],
      8,
      /nothing listens there/,
    ],
    ['the doctor', [...sandbox, 'doctor', '--json'], 0, /win32/],
    ['the state of the sandbox', ['sandbox', 'status', '--json'], 0, /publications/],
  ]
  it.each(commands)('%s', async (_, args, code, prints) => {
    const here = use(why => expect.unreachable(why))
    // Windows PowerShell writes what a command prints in UTF-16, with a byte order mark.
    writeFileSync(join(books, 'key.txt'), Buffer.from('\ufeffpk_test_key \r\n', 'utf16le'))
    const printed = await here.run(args, { cwd: books })
    expect(printed, printed.err).toMatchObject({ code })
    expect(printed.out + printed.err).toMatch(prints)
    expect(printed.err).not.toMatch(/\n {4}at /)
  })

  it('has an executable, which does the five minutes of the README', { timeout: 300_000 }, async ({
    skip,
  }) => {
    const here = use(skip)
    const folder = (await artefact('executables'))?.find(each => each.endsWith('windows-x64'))
    const program = join(folder ?? skip(noPackages), 'pubctl.exe')
    const home = join(here.home, 'five minutes')
    mkdirSync(home)
    const env = Object.fromEntries(
      ['CONFIG', 'DATA', 'CACHE'].map(name => [`PUBCTL_${name}_DIR`, windowsPath(join(home, name))]),
    )
    for (const { command, shows } of tutorial()) {
      const [own = ''] = command.split(' || ')
      const [, ...args] = [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      )
      const { code, out, err } = await here.runExecutable(program, args, { cwd: home, env })
      const expected = Number(/^exit code (\d+)$/m.exec(shows)?.[1] ?? 0)
      expect({ command, code }, err).toEqual({ command, code: expected })
      // No terminal is there, for which cards and tables are drawn.
      if (args.includes('--json')) expect(JSON.parse(out)).toEqual(JSON.parse(shows))
    }
  })

  describe('the lines of its page', () => {
    const page = readPage('docs/windows.md')
    const linesOf = (language: string) =>
      [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
        ([, lines = '']) => lines,
      )
    const task = linesOf('bat').find(lines => lines.startsWith('schtasks'))
    const ofTask = /\/tr "cmd \/c (pubctl .*?)"/.exec(task ?? '')?.[1] ?? ''

    /** Gives the folders that the page names, and the executable as `pubctl`. */
    async function desk(here: WindowsMachine, name: string, skip: (why: string) => never) {
      const folder = (await artefact('executables'))?.find(each => each.endsWith('windows-x64'))
      const disk = join(here.home, `disk for ${name}`)
      for (const each of ['books/spring list', 'hot']) mkdirSync(join(disk, each), { recursive: true })
      copyFileSync(join(books, 'first.epub'), join(disk, 'books/spring list/first.epub'))
      writeFileSync(join(disk, 'hot/hot.epub'), await exampleEpub({ title: 'Hot' }))
      here.mount('d:', disk)
      const env = { WINEPATH: windowsPath(folder ?? skip(noPackages)), PUBCTL_PROFILE: 'sandbox' }
      return { disk, env }
    }

    it('for cmd, each of which is run where the one before went well', { timeout: 600_000 }, async ({
      skip,
    }) => {
      const here = use(skip)
      const { disk, env } = await desk(here, 'cmd', skip)
      const [batch = ''] = linesOf('bat').filter(lines => lines.startsWith('pubctl'))
      writeFileSync(join(disk, 'lines.bat'), `@echo off\n${batch}`.replaceAll('\n', '\r\n'))
      const run = async () => await here.runExecutable('cmd', ['/c', 'D:\\lines.bat'], { cwd: disk, env })
      const well = await run()
      expect({ code: well.code, out: well.out }, well.err).toEqual({
        code: 0,
        out: expect.stringMatching(/first\.epub.*"id":"pub_/s),
      })
      expect(readdirSync(join(disk, 'books'))).toContain('receipts.csv')
      writeFileSync(join(disk, 'books/spring list/broken.epub'), 'no book')
      const badly = await run()
      expect({ code: badly.code, out: badly.out }, badly.err).toEqual({
        code: 10,
        out: expect.not.stringContaining('"id"'),
      })
    })

    it('for PowerShell, with its words as it hands them on', async ({ skip }) => {
      const here = use(skip)
      const { disk, env } = await desk(here, 'PowerShell', skip)
      const commands = linesOf('powershell')
        .flatMap(lines => lines.split('\n'))
        .filter(line => line.startsWith('pubctl '))
      expect(commands).toHaveLength(2)
      for (const line of commands) {
        const [, ...args] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
          ([, quoted, plain]) => quoted ?? plain ?? '',
        )
        const { code, err } = await here.run(args, { cwd: disk, env })
        expect({ line, code }, err).toEqual({ line, code: 0 })
      }
    })

    it('for the Task Scheduler, whose task is a line for cmd', async ({ skip }) => {
      const here = use(skip)
      const { disk, env } = await desk(here, 'the Task Scheduler', skip)
      expect(ofTask).toContain('watch D:\\hot --once')
      const line = ofTask.replace('--profile work', '--profile sandbox')
      const { code, err } = await here.runExecutable('cmd', ['/c', line], { cwd: disk, env })
      expect(code, err).toBe(0)
      expect(readdirSync(join(disk, 'hot/done'))).toContain('hot.epub')
    })
  })

  it('a pattern on another drive, of another case', async ({ skip }) => {
    const here = use(skip)
    here.mount('d:', books)
    const { code, out, err } = await here.run(['inspect', 'D:\\*.EPUB', ...ndjson, '--fields', 'file'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(rowsOf(out).map(({ file }) => file)).toContain('D:\\first.epub')
    // The current folder of a drive is its root at first.
    const relative = await here.run(['inspect', 'D:f*.EPUB', ...ndjson, '--fields', 'file'])
    expect(relative, relative.err).toMatchObject({ code: 0, out: '{"file":"D:first.epub"}\n' })
  })

  it('a user whose name has other letters, blanks and signs', async ({ skip }) => {
    const here = use(skip)
    const home = join(here.home, 'Jürgen Müller #1 100%')
    mkdirSync(home)
    copyFileSync(join(books, 'first.epub'), join(home, 'first.epub'))
    const of = (name: string) => [name, windowsPath(home)]
    const env = Object.fromEntries(
      ['PUBCTL_CONFIG_DIR', 'PUBCTL_DATA_DIR', 'PUBCTL_CACHE_DIR', 'TEMP', 'TMP'].map(of),
    )
    const uploaded = await here.run([...upload, 'first.epub', ...ndjson], { cwd: home, env })
    expect(uploaded, uploaded.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('"outcome":"uploaded"'),
    })
    const listed = await here.run(['uploads', 'list', '--finished', ...ndjson], { cwd: home, env })
    expect(listed, listed.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('Jürgen Müller #1 100%'),
    })
  })

  it('a pattern and the journal in the network', async ({ skip }) => {
    const here = use(skip)
    here.mount('unc/server/share', here.home)
    const env = { PUBCTL_DATA_DIR: '\\\\server\\share\\DATA' }
    const found = await here.run(['inspect', '\\\\server\\share\\spring list\\f*.epub', ...ndjson], { env })
    expect(found, found.err).toMatchObject({ code: 0, out: expect.stringContaining('first.epub') })
    const uploads = await here.run(['uploads', 'list', '--finished', ...ndjson], { env })
    expect(uploads, uploads.err).toMatchObject({ code: 0, out: expect.stringContaining('first.epub') })
  })

  it('a report that another program has open is told before the batch', async ({ skip }) => {
    const here = use(skip)
    const report = join(here.home, 'held.csv')
    writeFileSync(report, 'a\n')
    const release = await here.hold(report)
    const { code, out, err } = await here.run(
      [...upload, 'third.epub', '--again', '--report', windowsPath(report)],
      {
        cwd: books,
      },
    )
    await release()
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^error: cannot write \S+held\.csv: another program has it open, such as Excel\n/)
  })

  it('a watched folder waits for a book that is being written, and takes the sheet’s title for another case', async ({
    skip,
  }) => {
    const here = use(skip)
    const folder = join(here.home, 'hot')
    mkdirSync(folder)
    writeFileSync(join(folder, 'fifth.epub'), await exampleEpub({ title: 'Fifth' }))
    writeFileSync(join(folder, 'list.csv'), 'file,title\nFIFTH.EPUB,Of the sheet\n')
    const watch = [...sandbox, 'watch', windowsPath(folder), '--once', '--quiet-period', '0s', ...ndjson]
    const release = await here.hold(join(folder, 'fifth.epub'))
    const waiting = await here.run(watch)
    await release()
    expect(waiting.out + waiting.err).toContain('another program still has it open')
    const { code, err } = await here.run(watch)
    expect(code, err).toBe(0)
    const listed = await here.run([...sandbox, 'publications', 'list', ...ndjson, '--fields', 'title'])
    expect(listed.out).toContain('Of the sheet')
    expect(listed.out).not.toContain('Fifth')
  })

  it('CSV in files is for Excel and read again, and in a pipe without a mark', async ({ skip }) => {
    const here = use(skip)
    const folder = join(here.home, 'sheets')
    mkdirSync(folder)
    writeFileSync(join(folder, 'no book.epub'), 'no book')
    writeFileSync(join(folder, 'seventh.epub'), await exampleEpub({ title: 'Seventh' }))
    const failing = await here.run([...upload, '.', '--report', 'report.csv'], { cwd: folder })
    expect(failing.code, failing.err).toBe(10)
    const exported = await here.run([...sandbox, 'catalogue', 'export', '--out', 'books.csv'], {
      cwd: folder,
    })
    expect(exported.code, exported.err).toBe(0)
    await here.run(['inspect', '.', '--report', 'books seen.csv'], { cwd: folder })
    for (const name of ['failed.csv', 'report.csv', 'books.csv', 'books seen.csv'])
      expect(readFileSync(join(folder, name), 'utf8'), name).toMatch(/^\ufeff\w/)
    const again = await here.run([...upload, '--manifest', 'failed.csv', ...ndjson], { cwd: folder })
    expect(rowsOf(again.out)).toMatchObject([{ error: { code: 'not_a_book' } }])
    const planned = await here.run([...sandbox, 'catalogue', 'plan', 'books.csv', ...ndjson], { cwd: folder })
    expect(planned.code, planned.err).toBe(0)
  })

  it('what a watched folder settles is flushed to the disk', async ({ skip }) => {
    const here = use(skip)
    const folder = join(here.home, 'flushed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'sixth.epub'), await exampleEpub({ title: 'Sixth' }))
    const { module, flushes } = tellingFlushes(here.home, windowsPath)
    const env = { NODE_OPTIONS: `--require=${windowsPath(module).replaceAll('\\', '/')}` }
    const watch = [...sandbox, 'watch', windowsPath(folder), '--once', '--quiet-period', '0s']
    const { code, err } = await here.run(watch, { env })
    expect(code, err).toBe(0)
    expect(flushes()).not.toEqual([])
    expect(flushes().filter(({ error }) => error !== undefined)).toEqual([])
  })

  it('the key of a file, a variable and a command of that system', async ({ skip }) => {
    const here = use(skip)
    const status = await here.run(['sandbox', 'status', '--json'])
    expect(status.code).toBe(0)
    const hangs = ['profile', 'setup', 'slow', '--base-url', 'https://api.example.com', '--no-verify']
    const setUp = await here.run([...hangs, '--key-command', 'echo two words'])
    expect(setUp.code, setUp.err).toBe(0)
    const used = await here.run(['--profile', 'slow', 'domains', 'list'])
    expect(used).toMatchObject({ code: 3, err: expect.stringContaining('did not print one line with a key') })
  })

  it('two uploads at once on one journal', async ({ skip }) => {
    const here = use(skip)
    const both = await Promise.all(
      ['one', 'two'].map(async name => {
        const file = join(here.home, `${name}.epub`)
        writeFileSync(file, await exampleEpub({ title: name }))
        return await here.run([...upload, windowsPath(file), ...ndjson])
      }),
    )
    for (const { code, out, err } of both) {
      expect(code, err).toBe(0)
      expect(out).toContain('"available"')
    }
  })

  it('an upload that was killed goes on', async ({ skip }) => {
    const here = use(skip)
    const file = join(here.home, 'killed.epub')
    writeFileSync(file, await exampleEpub({ title: 'Killed' }))
    const slow = { env: { PUBCTL_SANDBOX_DELAY: '5s' } }
    const begun = here.start([...upload, windowsPath(file), '--progress', 'json'], slow)
    await expect
      .poll(async () => (await here.run(['uploads', 'list', ...ndjson])).out)
      .toContain('killed.epub')
    here.endAll()
    await begun.ended
    const { code, out, err } = await here.run([...upload, windowsPath(file), ...ndjson])
    expect(code, err).toBe(0)
    expect(out).toContain('"available"')
    const listed = await here.run([...sandbox, 'publications', 'list', ...ndjson, '--fields', 'title'])
    expect(rowsOf(listed.out).filter(({ title }) => title === 'Killed')).toHaveLength(1)
  })

  it('a path of more than 260 characters', async ({ skip }) => {
    const here = use(skip)
    const folder = join(here.home, ...Array.from({ length: 6 }, (_, index) => `${index}`.padEnd(45, 'x')))
    mkdirSync(folder, { recursive: true })
    copyFileSync(join(books, 'first.epub'), join(folder, 'first.epub'))
    const { code, out, err } = await here.run([...upload, windowsPath(join(folder, 'first.epub')), ...ndjson])
    expect(code, err).toBe(0)
    expect(out).toContain('"skipped"')
  })

  it('an index and a sandbox that are damaged are made anew', async ({ skip }) => {
    const here = use(skip)
    const folder = join(here.home, 'damaged')
    const env = { PUBCTL_DATA_DIR: windowsPath(folder) }
    const refresh = async () =>
      await here.run([...sandbox, 'catalogue', 'index', '--refresh', '--json'], { env })
    expect((await refresh()).code).toBe(0)
    const [index = ''] = readdirSync(join(folder, 'index')).filter(name => name.endsWith('.db'))
    const noise = Buffer.alloc(20_000, 'no database')
    writeFileSync(join(folder, 'index', index), noise)
    const { code, out, err } = await refresh()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ unread: 0 })

    const [store = ''] = readdirSync(join(folder, 'sandbox')).filter(name => /\.(db|sqlite)$/.test(name))
    writeFileSync(join(folder, 'sandbox', store), noise)
    const reset = await here.run(['sandbox', 'reset', '--yes'], { env })
    expect(reset.code, reset.err).toBe(0)
    expect((await here.run([...sandbox, 'domains', 'list', '--json'], { env })).code).toBe(0)
  })

  it('the library’s sandbox takes its folder with it', async ({ skip }) => {
    const here = use(skip)
    const { code, out, err } = await here.runModule(`
      import { existsSync } from 'node:fs'
      import { startSandbox } from 'pubctl/sandbox'
      const sandbox = await startSandbox()
      await sandbox.close()
      console.log(existsSync(sandbox.dataDir))
    `)
    expect({ code, out, err }).toEqual({ code: 0, out: 'false\n', err: '' })
  })

  it('a command to copy is quoted as its shells have it', async ({ skip }) => {
    const here = use(skip)
    const { err } = await here.run(['sandbox', 'book', 'made by us.epub'], { cwd: books })
    expect(err).toContain('publications upload "made by us.epub"')
  })

  it('a missing runtime of Visual C++ is named', async ({ skip }) => {
    const here = use(skip)
    const { code, err } = await here.withoutRuntime(
      async () => await here.run([...sandbox, 'domains', 'list']),
    )
    expect(code).toBe(2)
    expect(err).toMatch(
      /the package libsql cannot be loaded, since the Visual C\+\+ runtime.*\n.*vc_redist\.x64\.exe/,
    )
  })
})
