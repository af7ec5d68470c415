import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { globSync } from 'tinyglobby'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundled } from '../support/machine/bundled.ts'
import { typesOf } from '../support/machine/library-examples.ts'
import { install, pack, withoutOptional } from '../support/machine/packed.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const counts = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const figuresIn = (sentence: RegExp) => sentence.exec(readme) ?? []
const noRegistry = 'neither npm’s cache nor the registry has what it needs'

describe.runIf(isSlow)('the package', () => {
  let tarball: string
  let global: ReturnType<typeof install>
  beforeAll(() => {
    tarball = pack()
    global = install(tarball, mkdtempSync(join(tmpdir(), 'pubctl-installed-')))
  }, 300_000)
  afterAll(() => {
    for (const path of [dirname(tarball), ...(global ? [global.prefix] : [])])
      rmSync(path, { recursive: true, force: true })
  })

  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: readFileSync(tarball).buffer }, strict: true })
    expect(messages.map(message => formatMessage(message, pkg as Record<string, unknown>))).toEqual([])
  })

  it('has types that each way to import it finds, and that are of the kind of its code', async () => {
    const { problems, names } = await typesOf(tarball)
    expect(problems).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['.', './sandbox']))
  })

  it.skipIf(process.platform !== 'linux')(
    'is as small as the README says, and so is what it brings',
    ({ skip }) => {
      const { folder } = global ?? skip(noRegistry)
      const installed = files(folder)
      const megabytes = (paths: string[]) =>
        paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) / 1e6
      const [, packed, unpacked, others] = figuresIn(
        /under ([\d.]+) MB to download and under ([\d.]+) MB on disk, and brings (\w+) packages/,
      )
      expect(statSync(tarball).size / 1e6).toBeLessThan(Number(packed))
      expect(megabytes(installed.filter(path => !path.startsWith('node_modules')))).toBeLessThan(
        Number(unpacked),
      )
      const packages = installed.filter(path => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      expect(packages).toHaveLength(counts.indexOf(others ?? ''))

      const [, needed, database] = figuresIn(
        /libsql\) and (\w+) packages that it needs \(([\d.]+) MB on Linux\)/,
      )
      const ofKeychain = (path: string) => path.startsWith('node_modules/@napi-rs/')
      expect(packages.filter(path => !ofKeychain(path))).toHaveLength(counts.indexOf(needed ?? '') + 1)
      const beside = installed.filter(path => path.startsWith('node_modules/'))
      expect(Math.abs(megabytes(beside.filter(path => !ofKeychain(path))) - Number(database))).toBeLessThan(1)
      const [, keychain] = figuresIn(/keyring\) and its native part \(([\d.]+) MB\)/)
      expect(Math.abs(megabytes(beside.filter(ofKeychain)) - Number(keychain))).toBeLessThan(0.5)
    },
  )

  it('brings what npm lists, and nothing that is bundled', ({ skip }) => {
    const { prefix } = global ?? skip(noRegistry)
    const { stdout } = spawnSync(
      'npm',
      ['ls', '--global', '--all', '--omit=dev', '--json', '--prefix', prefix],
      {
        encoding: 'utf8',
        shell: process.platform === 'win32',
      },
    )
    interface Listed {
      /** Missing where an optional package is. */
      readonly version?: string
      readonly dependencies?: Record<string, Listed>
    }
    const namesIn = ({ dependencies = {} }: Listed): string[] =>
      Object.entries(dependencies).flatMap(([name, each]) => (each.version ? [name, ...namesIn(each)] : []))
    const { pubctl } = JSON.parse(stdout).dependencies
    const names = namesIn(pubctl)
    expect(names).toEqual(expect.arrayContaining(['@napi-rs/keyring', 'libsql']))
    expect(
      names.filter(name => !/^(@napi-rs\/keyring|libsql|@libsql\/|@neon-rs\/load$|detect-libc$)/.test(name)),
    ).toEqual([])
    const [, others] = figuresIn(/brings (\w+) packages/)
    if (process.platform === 'linux') expect(names).toHaveLength(counts.indexOf(others ?? ''))
  })

  it('holds what is built and nothing of an earlier build, of the tests or of this machine', ({ skip }) => {
    const { folder } = global ?? skip(noRegistry)
    const own = files(folder).filter(file => !file.startsWith('node_modules'))
    const kinds = own.map(file =>
      file
        .replace(/^dist\/[^/]+\.(m?js(?:\.map)?)$/, 'dist/*.$1')
        .replace(/^dist\/types\/.*\.d\.(m?ts)$/, 'dist/types/*.d.$1')
        .replace(/^(dist\/man|docs)\/.*\.(1|md|svg)$/, '$1/*.$2'),
    )
    expect([...new Set(kinds)].sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/package.json',
      'bin/pubctl.js',
      'completions/_pubctl',
      'completions/pubctl.bash',
      'completions/pubctl.fish',
      'completions/pubctl.ps1',
      'dist/*.js',
      'dist/*.js.map',
      'dist/*.mjs',
      'dist/NOTICES.txt',
      'dist/man/*.1',
      'dist/package.json',
      'dist/types/*.d.mts',
      'dist/types/*.d.ts',
      'docs/*.md',
      'docs/*.svg',
      'package.json',
      'sbom.json',
    ])
    const text = own.map(file => readFileSync(join(folder, file), 'utf8')).join('\n')
    expect(text).not.toContain(root)
    // Every module of the build is one that main.js, a worker or another module asks for by its name.
    for (const file of own.filter(file => /^dist\/[^/]+-[\w-]{8}\.m?js$/.test(file)))
      expect(text).toContain(file.replace('dist/', './'))
  })

  it('names each page of its manual, which the repository does not', ({ skip }) => {
    const { folder } = global ?? skip(noRegistry)
    const { man } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const pages = files(folder).filter(file => file.startsWith('dist/man/'))
    expect(pages.length).toBeGreaterThan(50)
    expect([...man].sort()).toEqual(pages.map(page => `./${page}`).sort())
    // Other tests may be packing just now.
    if (readdirSync(join(root, 'dist/packing')).length === 0)
      expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).not.toHaveProperty('man')
  })

  it('lists in its SBOM each package that it holds parts of or needs, as the lock file has it', ({
    skip,
  }) => {
    const { folder } = global ?? skip(noRegistry)
    const components = componentsOf(folder)
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const locked = Object.entries<{ version: string }>(packages).map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`,
    )
    for (const { name, version } of components) expect(locked).toContain(`${name} ${version}`)
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['libsql', '@napi-rs/keyring', ...bundled]))
    for (const name of ['vitest', 'typescript', 'rolldown']) expect(names).not.toContain(name)
    expect(components.filter(({ isBundled }) => isBundled).length).toBeGreaterThan(50)
  })

  it('brings the licence of each package that it holds parts of, word for word', ({ skip }) => {
    const { folder } = global ?? skip(noRegistry)
    const wordsOf = (text: string) => text.replaceAll("'", '"').split(/\s+/).filter(Boolean).join(' ')
    const text = readFileSync(join(folder, 'dist/NOTICES.txt'), 'utf8')
    const notices = wordsOf(text)
    const held = componentsOf(folder).filter(({ isBundled }) => isBundled)
    for (const { name, version } of held) expect(notices).toMatch(` ${name} ${version}`)
    const paths = globSync('node_modules/**/package.json', { cwd: root, absolute: true })
    const licences = paths.flatMap(path => {
      const { name, version, license } = JSON.parse(readFileSync(path, 'utf8'))
      const isHeld = held.some(each => each.name === name && each.version === version)
      const file = readdirSync(dirname(path)).find(each => /^licen[cs]e/i.test(each))
      // The Mozilla licence asks for addresses only.
      return isHeld && file && license !== 'MPL-2.0' ? [join(dirname(path), file)] : []
    })
    expect(licences.length).toBeGreaterThan(50)
    const isTitle = /^\W*(the )?(MIT|ISC) licen[cs]e\b[^.]*$/i
    const missing = licences.flatMap(path => {
      const [terms = ''] = readFileSync(path, 'utf8').split('APPENDIX: How to apply the Apache License')
      return terms.split('\n').filter(line => !isTitle.test(line) && !notices.includes(wordsOf(line)))
    })
    expect(missing).toEqual([])
    expect(text.split('\n').length).toBeLessThan(450)
  })

  it('installs globally without a compiler, and does its main job in an empty home', ({ skip }) => {
    const { prefix } = global ?? skip(noRegistry)
    const home = temporaryFolder()
    const { pubctl } = from(prefix, home)
    expect(pubctl('sandbox', 'book', join(home, 'first.epub')).status).toBe(0)
    const { stdout, stderr, status } = pubctl(
      ...['--profile', 'sandbox', 'publications', 'upload', join(home, 'first.epub'), '--json'],
    )
    expect(JSON.parse(stdout), stderr).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available' })
    expect(status).toBe(0)
    expect(realpathSync(join(prefix, 'share/man/man1/pubctl-publications-upload.1'))).toContain('dist/man')
  })

  it('works in a home that is closed to writing, with its folders elsewhere', ({ skip }) => {
    if (process.platform === 'win32') skip('there are no such homes')
    const { prefix } = global ?? skip(noRegistry)
    const [closed, open] = [temporaryFolder(), temporaryFolder()]
    chmodSync(closed, 0o555)
    const { pubctl } = from(prefix, closed, {
      PUBCTL_CONFIG_DIR: join(open, 'config'),
      PUBCTL_DATA_DIR: join(open, 'data'),
      PUBCTL_CACHE_DIR: join(open, 'cache'),
    })
    pubctl('sandbox', 'book', join(open, 'first.epub'))
    const { stdout } = pubctl(
      ...['--profile', 'sandbox', 'publications', 'upload', join(open, 'first.epub'), '--json'],
    )
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'uploaded' })
    expect(readdirSync(closed)).toEqual([])
  })

  it('says which folder to name where nothing can be written', ({ skip }) => {
    const { prefix } = global ?? skip(noRegistry)
    // A file is no folder, not even for those whom no mode keeps out.
    const { pubctl } = from(prefix, '/dev/null')
    expect(pubctl('--profile', 'sandbox', 'publications', 'list')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/cannot be opened \(ENOTDIR\)\n.*PUBCTL_DATA_DIR/),
    })
    const setUp = [
      'profile',
      'setup',
      'work',
      '--base-url',
      'https://api.example.com',
      '--key-command',
      'false',
    ]
    expect(pubctl(...setUp, '--no-verify')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/cannot make the folder .*\n.*PUBCTL_CONFIG_DIR/),
    })
  })

  it('works without its optional packages but for the keychain, the sandbox and the journal, and says so there', ({
    skip,
  }) => {
    const folder = withoutOptional(global ?? skip(noRegistry))
    const home = temporaryFolder()
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(folder, 'bin/pubctl.js'), ...args], {
        encoding: 'utf8',
        env: { HOME: home, PATH: '' },
      })
    expect(run('sandbox', 'book', join(home, 'first.epub')).status).toBe(0)
    expect(run('inspect', join(home, 'first.epub'), '--json').status).toBe(0)
    writeFileSync(join(home, 'key'), 'a-key-of-some-length')
    const setUp = ['profile', 'setup', 'work', '--base-url', 'https://api.example.com', '--no-verify']
    expect(run(...setUp, '--api-key-file', join(home, 'key'))).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('since @napi-rs/keyring is not installed for '),
    })
    const { status, stderr } = run('--profile', 'sandbox', 'publications', 'list', '--json')
    expect(status).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'no_database_driver', hint: expect.any(String) })
  })
})

/** The installed program as a person calls it, with nothing on the path but itself and Node.js. */
function from(prefix: string, home: string, env: Record<string, string> = {}) {
  const path = [join(prefix, process.platform === 'win32' ? '' : 'bin'), dirname(process.execPath)]
  return {
    pubctl: (...args: string[]) =>
      spawnSync('pubctl', args, {
        encoding: 'utf8',
        shell: process.platform === 'win32',
        env: {
          HOME: home,
          PATH: path.join(':'),
          PUBCTL_SANDBOX_DELAY: '5ms',
          PUBCTL_KEYCHAIN: 'off',
          ...env,
        },
      }),
  }
}

/** What sbom.json lists. */
function componentsOf(folder: string) {
  const { components } = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')) as {
    components: { name: string; version: string; properties?: { name: string; value: string }[] }[]
  }
  return components.map(({ name, version, properties = [] }) => ({
    name,
    version,
    isBundled: properties.some(each => each.name === 'pubctl:bundled' && each.value === 'true'),
  }))
}

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => statSync(join(folder, file)).isFile())
