import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { identityOf, processMarkOf } from '../../src/system/process-mark.ts'
import { environment } from '../support/machine/bin.ts'
import { tellingFlushes } from '../support/machine/flushes.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'bin/pubctl.js')

/** Runs the program in a folder, below a shell line such as `ulimit`. */
const inFolder = (cwd: string, args: readonly string[], { home = temporaryFolder(), before = '' } = {}) =>
  execa('sh', ['-c', `${before}\nexec "$0" "$@"`, process.execPath, bin, ...args], {
    env: environment({ HOME: home, PUBCTL_SANDBOX_DELAY: '5ms' }),
    extendEnv: false,
    cwd,
    reject: false,
    input: '',
    timeout: 30_000,
  })

const upload = (...more: string[]) => ['--profile', 'sandbox', 'publications', 'upload', ...more]

/** Whether a folder holds nothing that a write left unfinished. */
const drafts = (folder: string) => readdirSync(folder).filter(name => name.startsWith('.pubctl-'))

describe.skipIf(process.platform === 'win32')('a link that lies where a file is written', () => {
  it('gets no command from failed.csv into the start-up file of a shell', async () => {
    const home = temporaryFolder()
    const repository = temporaryFolder()
    const aliases = join(home, '.bash_aliases')
    symlinkSync(aliases, join(repository, 'failed.csv'))
    for (const name of ['x$(touch PWNED).epub', 'y.epub']) writeFileSync(join(repository, name), 'no book')
    const { exitCode, stderr } = await inFolder(repository, upload('.'), { home })
    expect(exitCode).toBe(10)
    expect(existsSync(aliases)).toBe(false)
    expect(stderr).toMatch(/cannot write failed\.csv: it is a symbolic link/)
  })

  it.each(['r.json', 'r.csv', 'r.xml', 'r.html'])(
    'is refused for the report %s before a request is sent',
    async name => {
      const folder = temporaryFolder()
      const target = join(folder, 'precious')
      writeFileSync(target, 'precious')
      symlinkSync(target, join(folder, name))
      writeFileSync(join(folder, 'a.epub'), await makeExampleEpub({}))
      const { sandbox } = machine()
      const report = ['--report', join(folder, name)]
      const { code, err } = await sandbox([
        'publications',
        'upload',
        join(folder, 'a.epub'),
        ...report,
        '--json',
      ])
      expect({ code, error: JSON.parse(err).error }).toMatchObject({
        code: 2,
        error: { code: 'file_unwritable', message: expect.stringMatching(/is a symbolic link/) },
      })
      expect(JSON.parse((await sandbox(['publications', 'list', '--json'])).out)).toEqual([])
      expect(readFileSync(target, 'utf8')).toBe('precious')
    },
  )

  it.each([[], ['--force']])('is refused for the book of the sandbox (%j)', async (...force) => {
    const folder = temporaryFolder()
    for (const [name, target] of [
      ['dangling.epub', 'missing'],
      ['link.epub', 'precious'],
    ] as const) {
      if (target === 'precious') writeFileSync(join(folder, target), 'precious')
      symlinkSync(join(folder, target), join(folder, name))
      const { code } = await machine().run(['sandbox', 'book', join(folder, name), ...force])
      expect(code).toBe(2)
    }
    expect(existsSync(join(folder, 'missing'))).toBe(false)
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
  })

  it('is refused for the file of profiles', async () => {
    const { home, run } = machine()
    const folder = join(home, '.config/pubctl')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const target = join(home, 'precious')
    writeFileSync(target, '{}', { mode: 0o600 })
    symlinkSync(target, join(folder, 'config.json'))
    const { code, err } = await run(['profile', 'use', 'sandbox', '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: {
        code: 'file_unwritable',
        message: expect.stringMatching(/config\.json: it is a symbolic link/),
      },
    })
    expect(readFileSync(target, 'utf8')).toBe('{}')
  })

  it('gets nothing of what is remembered for completion', async () => {
    const { home, sandbox } = machine()
    await sandbox(['domains', 'list'])
    const folder = join(home, '.cache/pubctl')
    const [name = ''] = readdirSync(folder).filter(each => each.startsWith('items-'))
    const target = join(home, 'precious')
    writeFileSync(target, 'precious')
    spawnSync('ln', ['-sf', target, join(folder, name)])
    expect((await sandbox(['domains', 'list'])).code).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe('precious')
  })
})

describe.skipIf(process.platform === 'win32')('anything else that lies there', () => {
  it.runIf(isSlow)('is refused where it is a pipe, which nobody waits at', async ({ skip }) => {
    const folder = temporaryFolder()
    for (const name of ['failed.csv', 'r.json'])
      if (spawnSync('mkfifo', [join(folder, name)]).status !== 0) skip('mkfifo is not there')
    for (const name of ['a.epub', 'b.epub']) writeFileSync(join(folder, name), 'no book')
    const { exitCode, stderr } = await inFolder(folder, upload('.'))
    expect(exitCode).toBe(10)
    expect(stderr).toMatch(/cannot write failed\.csv: it is not a regular file/)
    const reported = await inFolder(folder, upload('.', '--report', 'r.json'))
    expect(reported.exitCode).toBe(2)
    expect(reported.stderr).toMatch(/cannot write r\.json: it is not a regular file/)
  })
})

describe('a place where no file can be written', () => {
  it.each([
    ['missing/r.json', /its folder does not exist/, /Create the folder/],
    ['folder.json', /it is a folder/, /Name a file/],
  ])('is told with what to do, before a request is sent: %s', async (name, message, hint) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'folder.json'))
    const report = ['--report', join(folder, name)]
    const { code, err } = await machine().sandbox(['publications', 'upload', 'a.epub', ...report, '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: {
        code: 'file_unwritable',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      },
    })
  })
})

describe('a file that is replaced', () => {
  it.skipIf(process.platform === 'win32')('keeps its mode, and no draft of it is left', async () => {
    const folder = temporaryFolder()
    const report = join(folder, 'r.json')
    writeFileSync(report, 'an earlier one')
    chmodSync(report, 0o640)
    const before = statSync(report).ino
    writeFileSync(join(folder, 'a.epub'), await makeExampleEpub({}))
    const { code } = await machine().sandbox([
      'publications',
      'upload',
      join(folder, 'a.epub'),
      '--report',
      report,
    ])
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject([{ outcome: 'uploaded' }])
    expect(statSync(report).mode & 0o777).toBe(0o640)
    expect(statSync(report).ino).not.toBe(before)
    expect(drafts(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'is as it was where there is no room, and no draft is left',
    async () => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'first.epub'), 'an earlier one')
      // A size that no file may exceed, as a full disk would be for each.
      const full = { before: 'ulimit -f 4' }
      const { exitCode, stderr } = await inFolder(folder, ['sandbox', 'book', '--force', '--json'], full)
      expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({
        exitCode: 2,
        error: { code: 'file_unwritable', message: expect.stringMatching(/^cannot write first\.epub: /) },
      })
      expect(readFileSync(join(folder, 'first.epub'), 'utf8')).toBe('an earlier one')
      expect((await inFolder(folder, ['sandbox', 'book', 'second.epub'], full)).exitCode).toBe(2)
      expect(readdirSync(folder)).toEqual(['first.epub'])
    },
  )
})

describe('a file that is to outlast a power cut', () => {
  it('is flushed by what may write to it, as Windows wants', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.epub'), await makeExampleEpub({}))
    const { module, flushes } = tellingFlushes(temporaryFolder())
    const home = temporaryFolder()
    const watch = ['--profile', 'sandbox', 'watch', folder, '--once', '--quiet-period', '0s']
    const env = environment({ HOME: home, PUBCTL_SANDBOX_DELAY: '5ms', NODE_OPTIONS: `--require=${module}` })
    const { exitCode } = await execa(process.execPath, [bin, ...watch], {
      ...{ env, extendEnv: false, reject: false, stdin: 'ignore' },
    })
    expect(exitCode).toBe(0)
    expect(readdirSync(join(folder, 'done'))).toContain('a.epub.receipt.json')
    expect(flushes()).not.toEqual([])
    expect(flushes().filter(({ flags, error }) => flags === 'r' || error !== undefined)).toEqual([])
  })
})

describe('a disk without hard links, as one of exFAT', () => {
  it.each(['EISDIR', 'EINVAL', 'UNKNOWN'])('gets receipts and books all the same (%s)', async code => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.epub'), await makeExampleEpub({}))
    const module = join(temporaryFolder(), 'without-links.cjs')
    const refuse = `() => { throw Object.assign(new Error('${code}: no links'), { code: '${code}', syscall: 'link' }) }`
    writeFileSync(module, `require('node:fs').linkSync = ${refuse}`)
    const watch = ['--profile', 'sandbox', 'watch', folder, '--once', '--quiet-period', '0s']
    const env = environment({ PUBCTL_SANDBOX_DELAY: '5ms', NODE_OPTIONS: `--require=${module}` })
    const { exitCode, stderr } = await execa(process.execPath, [bin, ...watch], {
      ...{ env, extendEnv: false, reject: false, stdin: 'ignore' },
    })
    expect(exitCode, stderr).toBe(0)
    expect(readdirSync(folder)).toEqual(['done'])
    expect(readdirSync(join(folder, 'done')).sort()).toEqual(['a.epub', 'a.epub.receipt.json'])
  })
})

describe('a draft in the folder', () => {
  it('is deleted by the next write if its process was killed, and nothing else is', async () => {
    const folder = temporaryFolder()
    const { pid: dead } = spawnSync(process.execPath, ['-e', '0'])
    const hourAgo = new Date(Date.now() - 60 * 60 * 1000)
    const make = (name: string, date: Date) => {
      writeFileSync(join(folder, name), 'half')
      utimesSync(join(folder, name), date, date)
    }
    const own = identityOf('self')
    const marks = {
      dead: processMarkOf(dead, { ...own, started: '1' }),
      elsewhere: processMarkOf(dead, { processes: 'another machine', started: '1' }),
      mine: processMarkOf(process.pid, own),
    }
    make(`.pubctl-${marks.dead}-killed`, new Date())
    make(`.pubctl-${marks.elsewhere}-killed`, hourAgo)
    const kept = [
      // Another machine may be writing this one to a network drive, and this process the second.
      `.pubctl-${marks.elsewhere}-fresh`,
      `.pubctl-${marks.mine}-mine`,
      `.pubctl-${marks.dead}`,
      `.pubctl-${marks.dead}-folder`,
    ]
    make(kept[0] as string, new Date())
    for (const name of kept.slice(1, 3)) make(name, hourAgo)
    mkdirSync(join(folder, kept[3] as string))
    const { exitCode } = await inFolder(folder, ['sandbox', 'book', '--force'])
    expect(exitCode).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([...kept, 'first.epub'].sort())
  })
})

describe('the source', () => {
  const writing =
    /^(?:writev?|writeFile|appendFile|createWriteStream|WriteStream|rename|copyFile|cp|link|symlink|f?truncate|mkdtemp)(?:Sync)?$/
  const src = join(root, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.endsWith('.ts') && !file.startsWith('system'))
  /** What a file takes from Node's modules on files, however it imports it. */
  const taken = (text: string): string[] => [
    ...[...text.matchAll(/import \{([^}]*)\} from '(?:node:)?fs(?:\/promises)?'/g)].flatMap(
      ([, names = '']) =>
        names.split(',').map(
          name =>
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0] as string,
        ),
    ),
    ...(/(?:import \* as \w+ from|import \w+ from|import\(|require\() ?'(?:node:)?fs(?:\/promises)?'/.test(
      text,
    )
      ? ['everything']
      : []),
  ]
  /** The answer of the keychain's process, to the one that started it. */
  const allowed: Record<string, string[]> = { 'config/keychain-worker.ts': ['writeSync'] }

  it('writes files in src/system alone', () => {
    const found = files.flatMap(file => {
      const text = readFileSync(join(src, file), 'utf8')
      const opensToWrite =
        /\bopen(?:Sync)?\((?:[^()]|\([^()]*\))*(?:'[rwax]+[wax+][^']*'|'[wa]'|O_(?:WRONLY|RDWR|CREAT))/.test(
          text,
        )
      const names = taken(text).filter(name => name === 'everything' || writing.test(name))
      return [...names.filter(name => !allowed[file]?.includes(name)), ...(opensToWrite ? ['open'] : [])].map(
        name => `${file}: ${name}`,
      )
    })
    expect(found).toEqual([])
  })

  it('opens what others name in one place', () => {
    const opening = /^(?:open|openAsBlob|readFile|createReadStream|ReadStream|opendir|glob)(?:Sync)?$/
    /** What pubctl itself names, or the one who installs it. */
    const own: Record<string, string> = {
      'books/epubcheck/package.ts': 'a package beside pubctl',
      'books/run-checker.ts': 'a program on the PATH',
      'start/code-cache.ts': 'compiled code of its own',
      'cli/completion-cache.ts': 'a cache of its own',
      'config/keychain-worker.ts': 'its standard input',
      'start/executable/unpack.ts': 'what it unpacked',
      'sandbox/processing/scan.ts': 'an object of the sandbox',
      'start/start.ts': 'the program itself',
      'system/database.ts': 'databases of its own',
      'system/database-driver.ts': 'what the system says of its C library',
      'system/known-files.ts': 'files of its own',
      'system/lock-file.ts': 'locks of its own',
      'system/new-file.ts': 'a new file',
      'system/complete-file.ts': 'locks of its own',
      'system/ownership.ts': 'the file of profiles',
      'system/process-mark.ts': 'what the system says of processes',
      'system/unsent-bytes.ts': 'what the system says of connections',
      'system/append-file.ts': 'what it adds to',
      'system/write-checked.ts': 'what it writes',
      'system/write-file.ts': 'what it writes',
    }
    const from = /import \{([^}]*)\} from '(?:node:fs|node:fs\/promises|[./]+(?:system\/)?files\.ts)'/g
    const openers = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll('\\', '/'))
      .filter(file => file.endsWith('.ts'))
      .filter(file => {
        const text = readFileSync(join(src, file), 'utf8')
        const names = [...text.matchAll(from)].flatMap(([, list = '']) => list.split(','))
        const isAll = file !== 'system/files.ts' && /import \* as \w+ from '(?:node:)?fs/.test(text)
        return isAll || names.some(name => opening.test(name.trim().split(' as ')[0] as string))
      })
    expect(openers.filter(file => !Object.hasOwn(own, file))).toEqual(['system/open-file.ts'])
  })
})
