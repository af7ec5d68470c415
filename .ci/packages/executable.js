// Builds the single executable for this platform, which needs no Node.js, in a folder with its licences, its manual and its
// completions, and prints that folder: node .ci/packages/executable.js [<folder>]
//
// It is a copy of the Node.js that runs this script, with the program in it as it is published, and the native packages
// (https://nodejs.org/api/single-executable-applications.html).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject } from 'postject'
import { chunksOf, external, root } from '../bundle.js'
import { filesBelow } from '../files-below.js'
import { system } from '../platform.js'
import { sourceDate } from '../source-date.js'

/** The text that Node.js looks for in itself to know that something was added. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What of the package lies beside the executable, and under which name. */
const beside = {
  LICENSE: 'LICENSE',
  'dist/NOTICES.txt': 'NOTICES.txt',
  'dist/man': 'man',
  completions: 'completions',
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const destination = resolve(
  process.argv[2] ?? join(root, 'dist/packages'),
  `pubctl-${version}-${system}-${process.arch}`,
)
const work = mkdtempSync(join(tmpdir(), 'pubctl-executable-'))
try {
  const tarball = execFileSync('npm', ['pack', '--silent', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  }).trim()
  execFileSync('tar', ['-xf', join(work, tarball), '-C', work])
  const program = join(work, 'package')
  const files = new Map([
    ...filesBelow(program)
      .filter(path => /^(?:(?:bin|dist)\/[^/]+\.js|(?:(?:bin|dist)\/)?package\.json)$/.test(path))
      .map(path => pair(path, join(program, path))),
    ...withDependencies(external).flatMap(name => filesOfPackage(`node_modules/${name}`)),
  ])
  const index = [...files].map(([path, from]) => ({ path, sha256: sha256(from) }))
  writeFileSync(join(work, 'files.json'), JSON.stringify(index))
  const [main] = await chunksOf({ executable: 'src/start/executable/main.ts' }, { codeSplitting: false })
  if (main === undefined) throw new Error('the program was not bundled')
  writeFileSync(join(work, main.fileName), main.code)
  // The names of these files get into the executable, so they are those within the folder.
  writeFileSync(
    join(work, 'sea.json'),
    JSON.stringify({
      main: main.fileName,
      output: 'program.blob',
      disableExperimentalSEAWarning: true,
      assets: { ...Object.fromEntries(files), 'files.json': 'files.json' },
    }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'ignore' })
  const draft = join(work, 'pubctl')
  copyFileSync(process.execPath, draft)
  chmodSync(draft, 0o755)
  // What a debugger wants to know of Node.js is a tenth of its size. It has to go first, since strip drops what is injected.
  if (process.platform === 'linux') execFileSync('strip', [draft])
  const isMac = process.platform === 'darwin'
  if (isMac) execFileSync('codesign', ['--remove-signature', draft])
  await inject(draft, 'NODE_SEA_BLOB', readFileSync(join(work, 'program.blob')), {
    sentinelFuse: fuse,
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  })
  if (isMac) execFileSync('codesign', ['--sign', '-', draft])
  rmSync(destination, { recursive: true, force: true })
  mkdirSync(destination, { recursive: true })
  copyFileSync(draft, join(destination, process.platform === 'win32' ? 'pubctl.exe' : 'pubctl'))
  for (const [from, to] of Object.entries(beside))
    cpSync(join(program, from), join(destination, to), { recursive: true })
  writeFileSync(join(destination, 'build.json'), `${JSON.stringify(builtWith(), undefined, 2)}\n`)
  console.log(destination)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** What Node.js needs of a package that is installed here, and its licence. */
function filesOfPackage(/** @type {string} */ folder) {
  return filesBelow(join(root, folder))
    .filter(path => /\.(?:c?js|node|json)$|^licen[cs]e/i.test(path))
    .map(path => pair(`${folder}/${path}`, join(root, folder, path)))
}

/** @returns {[string, string]} */
function pair(/** @type {string} */ path, /** @type {string} */ from) {
  return [path, from]
}

/** Whether this Node.js uses the C library of GNU. */
function isGlibc() {
  return 'glibcVersionRuntime' in /** @type {{ header: object }} */ (process.report.getReport()).header
}

/** The packages that are installed of these and of what they need, without those for another C library. */
function withDependencies(/** @type {readonly string[]} */ names, found = new Set()) {
  for (const name of names) {
    const manifest = join(root, 'node_modules', name, 'package.json')
    if (found.has(name) || !existsSync(manifest)) continue
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
    // npm installs it beside the one for glibc, which is what this Node.js has.
    if (name.endsWith('-musl') && isGlibc()) continue
    found.add(name)
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), found)
  }
  return [...found]
}

/** What the same bytes need: the same Node.js, which is in them, and the same date. */
function builtWith() {
  return {
    version,
    sourceDate: sourceDate.toISOString(),
    node: {
      version: process.version,
      platform: process.platform,
      arch: process.arch,
      sha256: sha256(process.execPath),
    },
  }
}

function sha256(/** @type {string} */ path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
