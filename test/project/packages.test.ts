import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { configurationNames, plantAround } from '../support/machine/planted-configuration.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Runs a script of .ci/packages, and gives the files that it names. */
const made = (script: string, ...args: string[]): string[] =>
  execFileSync(process.execPath, [join(root, '.ci/packages', script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')

const isThere = (command: string) => spawnSync(command, ['--version']).error === undefined

describe.runIf(isSlow && process.platform === 'linux')('the single executable', () => {
  let folder: string
  let files: string[]
  beforeAll(async () => {
    ;({ folder, files } = await artefact('packages'))
  }, 600_000)

  const executable = () => join(folder, `pubctl-${version}-linux-${process.arch}`, 'pubctl')

  it('is built with an archive and a bill of materials', () => {
    const names = files.map(file => file.slice(folder.length + 1)).filter(name => !name.endsWith('.deb'))
    expect(names).toEqual([`pubctl-${version}-linux-${process.arch}.tar.gz`, `pubctl-${version}.cdx.json`])
    const listed = execFileSync('tar', ['-tzf', files[0] ?? ''], { encoding: 'utf8' })
    for (const name of ['pubctl', 'LICENSE', 'NOTICES.txt', 'man/pubctl.1', 'completions/_pubctl']) {
      expect(listed).toContain(`pubctl-${version}-linux-${process.arch}/${name}\n`)
    }
  })

  it('neither runs nor reads what lies where a queue is used', () => {
    const home = temporaryFolder()
    const cwd = join(home, 'shared', 'books')
    mkdirSync(cwd, { recursive: true })
    const whatRan = plantAround(cwd, configurationNames(temporaryFolder()), join(home, 'ran'))
    const env = { HOME: home, PUBCTL_KEYCHAIN: 'off', PUBCTL_DATABASE_URL: 'postgres://127.0.0.1:1/x' }
    const { status, stderr } = spawnSync(executable(), ['queue', 'status'], { encoding: 'utf8', env, cwd })
    expect(stderr).toContain('the database of the queue cannot be reached')
    expect({ status, ran: whatRan() }).toEqual({ status: 8, ran: '' })
  })

  it.each([
    ['the default cache folder', {}],
    ['the folder that XDG_CACHE_HOME names', { XDG_CACHE_HOME: 'restored' }],
  ])('runs no module that was planted in %s', (_, named: { XDG_CACHE_HOME?: string }) => {
    const home = temporaryFolder()
    const cache = join(home, named.XDG_CACHE_HOME ?? '.cache')
    const env = { HOME: home, PUBCTL_KEYCHAIN: 'off', XDG_CACHE_HOME: cache }
    const list = () =>
      spawnSync(executable(), ['--profile', 'sandbox', 'domains', 'list', '--json'], {
        encoding: 'utf8',
        env,
      })
    const usual = list()
    expect(usual.status).toBe(0)
    const [program = ''] = readdirSync(join(cache, 'pubctl')).filter(name => name.startsWith('program-'))
    const planted = join(cache, 'pubctl', program, 'node_modules/libsql/node_modules')
    for (const name of ['detect-libc', '@neon-rs/load', `@libsql/linux-${process.arch}-gnu`]) {
      mkdirSync(join(planted, name), { recursive: true })
      writeFileSync(join(planted, name, 'index.js'), "require('fs').writeSync(2, 'planted')")
    }
    expect(list()).toMatchObject({ status: 0, stdout: usual.stdout, stderr: '' })
    expect(existsSync(planted)).toBe(false)
  })

  it('works in a home that cannot be written to', () => {
    const env = { HOME: '/proc/1', TMPDIR: temporaryFolder() }
    const { stdout } = spawnSync(executable(), ['--version'], { encoding: 'utf8', env })
    expect(stdout).toBe(`${version}\n`)
    expect(readdirSync(env.TMPDIR)).toEqual([`pubctl-${process.getuid?.()}`])
  })

  it('says where it can unpack itself instead, which helps', () => {
    const env = { HOME: '/proc/1', TMPDIR: '/proc/1' }
    const nowhere = spawnSync(executable(), ['--version'], { encoding: 'utf8', env })
    expect(nowhere).toMatchObject({ status: 2, stdout: '' })
    expect(nowhere.stderr).toMatch(
      /^pubctl cannot unpack itself: [^\n]+\. Set PUBCTL_CACHE_DIR to a folder of your own\.\n$/,
    )
    const advised = { ...env, PUBCTL_CACHE_DIR: join(temporaryFolder(), 'cache') }
    const { status, stdout } = spawnSync(executable(), ['--version'], { encoding: 'utf8', env: advised })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` })
  })
})

describe('the manifests of a release', () => {
  it('hold the address and the hash of each archive', () => {
    const folder = temporaryFolder()
    const hashes = new Map<string, string>()
    for (const name of ['linux-x64.tar.gz', 'macos-arm64.tar.gz', 'macos-x64.tar.gz', 'windows-x64.zip']) {
      const file = `pubctl-${version}-${name}`
      writeFileSync(join(folder, file), name)
      hashes.set(file, createHash('sha256').update(name).digest('hex'))
    }
    const address = `https://forge.example/maker/pubctl/releases/download/v${version}`
    made('manifests.js', folder, address)
    expect(readdirSync(folder).sort()).toEqual(
      ['SHA256SUMS', ...hashes.keys(), 'pubctl.json', 'pubctl.rb'].sort(),
    )
    const { status } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })
    if (isThere('sha256sum')) expect(status).toBe(0)

    const formula = readFileSync(join(folder, 'pubctl.rb'), 'utf8')
    const named = [...formula.matchAll(/url "(.*)\/(.*)"\n\s*sha256 "(.*)"/g)].map(([, ...found]) => found)
    const archives = [...hashes].filter(([file]) => file.endsWith('.tar.gz'))
    expect(named.sort()).toEqual(archives.map(([file, hash]) => [address, file, hash]).sort())
    expect(formula).toMatch(/^ {2}on_macos do\n {4}depends_on macos: :[a-z_]+\n/m)
    expect(formula.match(/^ *(class|def|.* do)\b/gm)).toHaveLength(formula.match(/^ *end$/gm)?.length ?? 0)

    const windows = `pubctl-${version}-windows-x64.zip`
    expect(JSON.parse(readFileSync(join(folder, 'pubctl.json'), 'utf8'))).toMatchObject({
      version,
      architecture: {
        '64bit': {
          ...{ url: `${address}/${windows}`, hash: hashes.get(windows) },
          // The folder in the archive.
          extract_dir: `pubctl-${version}-windows-x64`,
        },
      },
      autoupdate: {
        architecture: {
          '64bit': {
            url: `${address.replace(version, '$version')}/pubctl-$version-windows-x64.zip`,
            extract_dir: 'pubctl-$version-windows-x64',
          },
        },
      },
      bin: 'pubctl.exe',
      // A name in the bucket, as Scoop finds it.
      depends: expect.stringMatching(/^extras\/vcredist\d{4}$/),
    })
  })

  it('are a formula that Ruby reads, which installs what the archive has', ({ skip }) => {
    if (!isThere('ruby')) skip('ruby is not installed everywhere')
    const folder = temporaryFolder()
    const archive = `pubctl-${version}-macos-arm64.tar.gz`
    writeFileSync(join(folder, archive), '')
    made('manifests.js', folder, `https://forge.example/pubctl/releases/download/v${version}`)
    const unpacked = join(folder, 'unpacked')
    mkdirSync(join(unpacked, 'man'), { recursive: true })
    writeFileSync(join(unpacked, 'man/pubctl.1'), '')
    // What Homebrew gives to a formula, as far as this one asks for it.
    const homebrew = `
      require 'json'
      class Formula
        Place, Said, Taken = [], [], []
        %i[desc homepage version license url sha256 depends_on].each do |word|
          define_singleton_method(word) { |value| Said << [*Place, word, value] }
        end
        %i[on_macos on_linux on_arm on_intel].each do |word|
          define_singleton_method(word) { |&block| Place << word; block.call; Place.pop }
        end
        def self.test; end
        %i[bin man1 bash_completion zsh_completion fish_completion].each do |word|
          define_method(word) { Object.new.tap { |to| to.define_singleton_method(:install) { |what| Taken << [word, what] } } }
        end
      end
      load ARGV[0]
      Pubctl.new.install
      puts JSON.generate({ said: Formula::Said, taken: Formula::Taken })`
    const { stdout, stderr } = spawnSync('ruby', ['-e', homebrew, join(folder, 'pubctl.rb')], {
      cwd: unpacked,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const { said, taken } = JSON.parse(stdout)
    expect(said).toContainEqual(['version', version])
    expect(said).toContainEqual(['on_macos', 'depends_on', { macos: 'big_sur' }])
    expect(said).toContainEqual(['on_macos', 'on_arm', 'url', expect.stringContaining(archive)])
    expect(taken).toEqual([
      ['bin', 'pubctl'],
      ['man1', ['man/pubctl.1']],
      ['bash_completion', { 'completions/pubctl.bash': 'pubctl' }],
      ['zsh_completion', 'completions/_pubctl'],
      ['fish_completion', 'completions/pubctl.fish'],
    ])
    for (const name of ['pubctl.bash', '_pubctl', 'pubctl.fish'])
      expect(existsSync(join(root, 'completions', name)), name).toBe(true)
  })
})

describe('the recipe of the container image', () => {
  const path = join(root, '.ci/packages/Dockerfile')
  const recipe = readFileSync(path, 'utf8')

  it('is a valid Dockerfile', () => {
    const problems = validate(recipe, {
      deprecatedMaintainer: ValidationSeverity.ERROR,
      directiveCasing: ValidationSeverity.ERROR,
      emptyContinuationLine: ValidationSeverity.ERROR,
      instructionCasing: ValidationSeverity.ERROR,
      instructionCmdMultiple: ValidationSeverity.ERROR,
      instructionEntrypointMultiple: ValidationSeverity.ERROR,
      instructionWorkdirRelative: ValidationSeverity.ERROR,
    })
    expect(problems.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([])
  })

  const hasBuilder = isSlow && spawnSync('docker', ['info']).status === 0
  it.runIf(hasBuilder)(
    'builds an image that runs',
    () => {
      execFileSync('docker', ['build', '--file', path, '--tag', 'pubctl-test', root], { stdio: 'ignore' })
      const run = ['run', '--rm', '--read-only', '--tmpfs', '/tmp:exec', 'pubctl-test', '--version']
      expect(execFileSync('docker', run, { encoding: 'utf8' })).toBe(`${version}\n`)
    },
    1_200_000,
  )

  it('runs as a user without rights, on a volume for books', () => {
    expect(recipe.match(/^USER .*$/gm)).toEqual(['USER nonroot'])
    expect(recipe).toMatch(/^VOLUME \[.*"\/books".*\]$/m)
  })
})
