// Installs the packed tarball into an empty folder, and runs its main job under each version of Node.js that it is made
// for, and the versions before them for what they are told. The versions come from the npm registry.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const versions = ['20.19.0', '22', '24', '26']
const tooOld = ['16', '18', '20.18.0']
const folder = mkdtempSync(join(tmpdir(), 'pubctl-matrix-'))
const shell = process.platform === 'win32'

/** Runs pubctl under a version of Node.js, in an empty home of that version. */
function pubctl(/** @type {string} */ version, /** @type {string[]} */ args, input = '') {
  const program = join(folder, 'node_modules/pubctl/bin/pubctl.js')
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['--yes', '--package', `node@${version}`, '--', 'node', program, ...args],
    {
      shell,
      input,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(
          ['CONFIG', 'DATA', 'CACHE'].map(name => [`PUBCTL_${name}_DIR`, join(folder, version, name)]),
        ),
        PUBCTL_SANDBOX_DELAY: '5ms',
        npm_config_loglevel: 'silent',
      },
    },
  )
  return { status, stdout, stderr }
}

/** A folder with a link to itself, which some versions of Node.js follow, again and again. */
const books = join(folder, 'books')
mkdirSync(books)
symlinkSync(books, join(books, 'again'), 'junction')

/** The main job, step by step: what each step prints. The first that goes wrong ends it. */
const steps = [
  { args: ['--version'], prints: /^\d+\.\d+\.\d+\n$/ },
  { args: ['--help'], prints: /publications/ },
  { args: ['sandbox', 'book', join(folder, 'book.epub'), '--force', '--json'], prints: /"file"/ },
  { args: ['inspect', join(folder, 'book.epub'), '--json'], prints: /"type":"EPUB"/ },
  { args: ['sandbox', 'book', join(books, 'one.epub'), '--force', '--json'], prints: /"file"/ },
  { args: ['inspect', books, '--recursive', '--json'], prints: /^(?!.*again[\\/]+one).*one\.epub/s },
  {
    args: ['--profile', 'sandbox', 'publications', 'upload', join(folder, 'book.epub'), '--json'],
    prints: /"uploadStatus":"available"/,
  },
  { args: ['--profile', 'sandbox', 'publications', 'list', '--json'], prints: /"publicationId":"pub_/ },
  { args: ['--profile', 'sandbox', 'uploads', 'list', '--finished', '--json'], prints: /book\.epub/ },
  {
    args: [
      'profile',
      'setup',
      'work',
      '--base-url',
      'https://api.example.com',
      '--key-command',
      'echo k',
      '--no-verify',
    ],
    prints: /work/,
  },
  {
    args: ['--profile', 'sandbox', 'mcp'],
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'matrix', version: '1' } } })}\n`,
    prints: /"serverInfo"/,
  },
  { args: ['profile', 'list', '--json'], prints: /api\.example\.com/ },
]

function fails(/** @type {string} */ version) {
  for (const { args, input, prints } of steps) {
    const { status, stdout, stderr } = pubctl(version, args, input)
    if (status !== 0 || !prints.test(stdout)) return `${args.join(' ')}: exit ${status}\n${stdout}${stderr}`
  }
  return undefined
}

function misleads(/** @type {string} */ version) {
  const { status, stdout, stderr } = pubctl(version, ['--version'])
  const isPlain = /^pubctl needs Node\.js \S+ or newer; this is \S+\n$/.test(stderr)
  return status === 1 && stdout === '' && isPlain ? undefined : `exit ${status}\n${stdout}${stderr}`
}

let failed = 0
try {
  const root = join(import.meta.dirname, '..')
  const pack = ['pack', '--silent', '--pack-destination', folder]
  const tarball = execFileSync('npm', pack, {
    cwd: root,
    shell,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const install = [
    'install',
    '--prefix',
    folder,
    join(folder, tarball.trim()),
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--silent',
  ]
  execFileSync('npm', install, { shell, stdio: 'inherit' })
  for (const { list, check, well } of [
    { list: versions, check: fails, well: `runs: ${steps.length} steps` },
    { list: tooOld, check: misleads, well: 'is told which Node.js it takes' },
  ])
    for (const version of list) {
      const trouble = check(version)
      console.log(`Node.js ${version.padEnd(8)} ${trouble === undefined ? well : `FAILED ${trouble}`}`)
      if (trouble !== undefined) failed++
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed > 0 ? 1 : 0
