// Builds the single executable, which needs no Node.js, in a folder with its licences, its manual and its completions, and prints
// that folder: node .ci/packages/executable.js [<folder> [<platform>]]
//
// It is a copy of Node.js, with the program in it as it is published, and the native packages
// (https://nodejs.org/api/single-executable-applications.html). That is the Node.js that runs this script, or, for a platform that
// is named, such as windows-x64 or macos-arm64, the one of node-of.js, which also a Linux with x64 can build for.
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
import { chunksOf, root } from '../bundle.js'
import { filesBelow } from '../files-below.js'
import { platformOf, thisPlatform } from '../platform.js'
import { sourceDate } from '../source-date.js'
import * as mac from './mac-signature.js'
import { nodeOf } from './node-of.js'
import * as windows from './windows-signature.js'

/** The text that Node.js looks for in itself to know that something was added. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What of the package lies beside the executable, and under which name. */
const beside = {
  LICENSE: 'LICENSE',
  'dist/NOTICES.txt': 'NOTICES.txt',
  'dist/man': 'man',
  completions: 'completions',
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { version } = manifest
const [folder = join(root, 'dist/packages'), named = thisPlatform] = process.argv.slice(2)
const { os, cpu } = platformOf(named)
const isOwn = named === thisPlatform
const destination = resolve(folder, `pubctl-${version}-${named}`)
const work = mkdtempSync(join(tmpdir(), 'pubctl-executable-'))
try {
  /** What is copied, and what makes the rest: it has to be of the same version, and to run here. */
  const node = isOwn ? { version: process.version, path: process.execPath } : nodeOf(`${os}-${cpu}`, work)
  const maker = isOwn ? node.path : nodeOf(`${process.platform}-${process.arch}`, work).path
  const natives = isOwn ? root : installNatives()
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
    ...filesOfPackages({ ...manifest.dependencies, ...manifest.optionalDependencies }, natives),
    ...filesOfPackages(manifest.peerDependencies, root),
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
  execFileSync(maker, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'ignore' })
  const draft = join(work, 'pubctl')
  copyFileSync(node.path, draft)
  chmodSync(draft, 0o755)
  // What a debugger wants to know of Node.js is a tenth of its size. It has to go first, since strip drops what is injected.
  if (os === 'linux') execFileSync('strip', [draft])
  if (os === 'darwin') rewrite(draft, mac.withoutSignature)
  if (os === 'win32') rewrite(draft, windows.withoutSignature)
  await inject(draft, 'NODE_SEA_BLOB', readFileSync(join(work, 'program.blob')), {
    sentinelFuse: fuse,
    ...(os === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
  })
  if (os === 'darwin') rewrite(draft, program => mac.signed(program, 'pubctl'))
  rmSync(destination, { recursive: true, force: true })
  mkdirSync(destination, { recursive: true })
  copyFileSync(draft, join(destination, os === 'win32' ? 'pubctl.exe' : 'pubctl'))
  for (const [from, to] of Object.entries(beside))
    cpSync(join(program, from), join(destination, to), { recursive: true })
  writeFileSync(join(destination, 'build.json'), `${JSON.stringify(builtWith(node), undefined, 2)}\n`)
  console.log(destination)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function rewrite(/** @type {string} */ path, /** @type {(bytes: Buffer) => Buffer} */ change) {
  writeFileSync(path, change(readFileSync(path)))
}

/** Installs the native packages of the other platform as the lock file has them, and gives the folder. */
function installNatives() {
  const into = join(work, 'natives')
  mkdirSync(into)
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(into, name))
  const omitted = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['ci', `--os=${os}`, `--cpu=${cpu}`, ...omitted], {
    cwd: into,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return into
}

/** The files of packages that are installed in a folder, and of what they need. */
function filesOfPackages(
  /** @type {Readonly<Record<string, string>>} */ wanted,
  /** @type {string} */ place,
) {
  return withDependencies(Object.keys(wanted), place).flatMap(name =>
    filesOfPackage(`node_modules/${name}`, place),
  )
}

/** What Node.js needs of a package that is installed, and its licence. */
function filesOfPackage(/** @type {string} */ folder, /** @type {string} */ place) {
  return filesBelow(join(place, folder))
    .filter(path => /\.(?:c?js|node|json)$|^licen[cs]e/i.test(path))
    .map(path => pair(`${folder}/${path}`, join(place, folder, path)))
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
function withDependencies(
  /** @type {readonly string[]} */ names,
  /** @type {string} */ place,
  found = new Set(),
) {
  for (const name of names) {
    const manifest = join(place, 'node_modules', name, 'package.json')
    if (found.has(name) || !existsSync(manifest)) continue
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
    // npm installs it beside the one for glibc, which is what this Node.js has.
    if (name.endsWith('-musl') && isGlibc()) continue
    found.add(name)
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), place, found)
  }
  return [...found]
}

/** What the same bytes need: the same Node.js, which is in them, and the same date. */
function builtWith(/** @type {{ version: string, path: string }} */ node) {
  return {
    version,
    sourceDate: sourceDate.toISOString(),
    node: {
      version: node.version,
      platform: os,
      arch: cpu,
      sha256: sha256(node.path),
    },
  }
}

function sha256(/** @type {string} */ path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
