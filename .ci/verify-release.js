// Rebuilds artefacts of a release from this checkout, in a folder that is gone afterwards, and compares them bit for bit:
// node .ci/verify-release.js <artefact>...
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { filesBelow } from './files-below.js'
import { architecture, thisPlatform } from './platform.js'
import './source-date.js'

/** What ends the command with one line. */
class Problem extends Error {}

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** @typedef {'tarball' | 'archive' | 'deb' | 'executable'} Kind */
/** @typedef {{ given: string, path: string, kind: Kind }} Artefact A file of a release, as it is named and where it is. */
/** @typedef {{ files: Map<string, string>, built?: string | undefined }} Content */

/**
 * By the names that a release has for them: of which version they are, and on which system they can be rebuilt.
 * @type {Record<Kind, { form: RegExp, here?: string | undefined }>}
 */
const kinds = {
  tarball: { form: /^pubctl-(\d+\.\d+\.\d+(?:-[\w.]+)?)\.tgz$/ },
  archive: {
    form: /^pubctl-(\d.*)-((?:linux|macos|windows)-\w+)\.(?:tar\.gz|zip)$/,
    here: thisPlatform,
  },
  deb: { form: /^pubctl_(\d[^_]*)_(\w+)\.deb$/, here: architecture },
  executable: { form: /^pubctl(?:\.exe)?$/ },
}
const names =
  'pubctl-<version>.tgz, pubctl-<version>-<system>.tar.gz or .zip, pubctl_<version>_<processor>.deb, pubctl'

// Ctrl-C ends what is running, which then fails here, so that the folder is gone then too.
process.on('SIGINT', () => {})
try {
  const artefacts = process.argv.slice(2).map(artefactOf)
  if (artefacts.length === 0) throw new Problem('name an artefact: node .ci/verify-release.js <file>')
  process.exitCode = verify(artefacts) ? 0 : 1
} catch (error) {
  if (!(error instanceof Problem)) throw error
  console.error(`verify-release: ${error.message}`)
  process.exitCode = 1
}

/** @returns {Artefact} */
function artefactOf(/** @type {string} */ given) {
  const path = resolve(given)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Problem(`there is no file ${given}`)
  if (!found.isFile()) throw new Problem(`${given} is no file`)
  for (const [kind, { form, here }] of Object.entries(kinds)) {
    const [match, its = version, on = here] = form.exec(basename(path)) ?? []
    if (match === undefined) continue
    if (its !== version)
      throw new Problem(`${given} is of ${its}, and this checkout of ${version}: git checkout v${its}`)
    if (on !== here)
      throw new Problem(`${given} is for ${on}, where alone it can be rebuilt; this is ${here}`)
    return { given, path, kind: /** @type {Kind} */ (kind) }
  }
  throw new Problem(`${given} is not named as an artefact of a release: ${names}`)
}

/** Whether all are equal to what is made here. */
function verify(/** @type {readonly Artefact[]} */ artefacts) {
  const work = mkdtempSync(join(realpathSync(tmpdir()), 'pubctl-verify-'))
  try {
    const rebuilt = rebuild(new Set(artefacts.map(({ kind }) => kind)), work)
    return artefacts.map(artefact => isEqual(artefact, rebuilt[artefact.kind], work)).every(Boolean)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The paths of what was rebuilt, by their kinds.
 * @returns {Partial<Record<Kind, string>>}
 */
function rebuild(/** @type {ReadonlySet<Kind>} */ wanted, /** @type {string} */ work) {
  run(root, process.execPath, '.ci/setup.js', '--ignore-scripts')
  const source = join(work, 'source')
  const others = /^(?:\.git|dist|coverage|sbom\.json|[^/\\]*\.tgz)$/
  cpSync(root, source, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !others.test(relative(root, path)),
  })
  const to = join(work, 'rebuilt')
  mkdirSync(to)
  const script = (/** @type {string} */ file, /** @type {string} */ argument) =>
    run(source, process.execPath, join('.ci/packages', file), argument)
  /** @type {Partial<Record<Kind, string>>} */
  const rebuilt = {}
  if (wanted.has('tarball'))
    rebuilt.tarball = join(to, run(source, 'npm', 'pack', '--silent', '--pack-destination', to))
  if (wanted.size > (wanted.has('tarball') ? 1 : 0)) {
    const folder = script('executable.js', to)
    rebuilt.executable = join(folder, process.platform === 'win32' ? 'pubctl.exe' : 'pubctl')
    if (wanted.has('archive')) rebuilt.archive = script('archive.js', folder)
    if (wanted.has('deb')) rebuilt.deb = script('deb.js', folder)
  }
  return rebuilt
}

function run(/** @type {string} */ cwd, /** @type {string} */ command, /** @type {string[]} */ ...args) {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32' && command === 'npm',
    }).trim()
  } catch (error) {
    throw new Problem(`it cannot be rebuilt: ${/** @type {Error} */ (error).message.split('\n')[0]}`)
  }
}

function isEqual(
  /** @type {Artefact} */ { given, path, kind },
  /** @type {string | undefined} */ rebuilt,
  /** @type {string} */ work,
) {
  if (rebuilt === undefined) throw new Problem(`${given} was not rebuilt`)
  const hashes = [sha256(path), sha256(rebuilt)]
  if (hashes[0] === hashes[1]) {
    console.log(`equal ${hashes[0]} ${given}`)
    return true
  }
  console.log(`differs ${given}\n  it is ${hashes[0]}\n  rebuilt ${hashes[1]}`)
  const [its, own] = [path, rebuilt].map((file, index) => {
    const folder = join(work, `unpacked-${kind}-${index}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    return contentOf(file, kind, folder)
  })
  if (its === undefined || own === undefined) console.log('  it cannot be unpacked')
  else for (const line of differences(its, own)) console.log(`  ${line}`)
  return false
}

/**
 * The hashes and modes of the files in an artefact, and what its build.json says; undefined if it cannot be unpacked.
 * @returns {Content | undefined}
 */
function contentOf(/** @type {string} */ file, /** @type {Kind} */ kind, /** @type {string} */ folder) {
  if (kind === 'executable') return { files: new Map([[basename(file), sha256(file)]]) }
  const [command, ...args] =
    kind === 'deb' ? ['dpkg-deb', '-R', file, folder] : ['tar', '-x', '-f', file, '-C', folder]
  try {
    execFileSync(command, args, { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const paths = filesBelow(folder)
  const description = (/** @type {string} */ path) =>
    `${statSync(join(folder, path)).mode & 0o111 ? 'program' : 'file'} ${sha256(join(folder, path))}`
  const built = paths.find(path => path.endsWith('/build.json') && kind !== 'tarball')
  return {
    files: new Map(paths.map(path => [path, description(path)])),
    built: built && readFileSync(join(folder, built), 'utf8'),
  }
}

function differences(/** @type {Content} */ its, /** @type {Content} */ own) {
  const paths = [...new Set([...its.files.keys(), ...own.files.keys()])].sort()
  const lines = paths.flatMap(path => {
    const [there, here] = [its.files.get(path), own.files.get(path)]
    if (there === here) return []
    if (here === undefined) return `${path}: not in what was rebuilt`
    return `${path}: ${there === undefined ? 'missing' : 'other'}`
  })
  if (lines.length === 0) lines.push('the files in it are the same; another npm, Node.js or xz packed them')
  if (its.built !== own.built) lines.push(`built with ${nodeOf(its.built)}; this is ${nodeOf(own.built)}`)
  return lines
}

function nodeOf(/** @type {string | undefined} */ built) {
  try {
    const { version, sha256 } = JSON.parse(built ?? '').node
    return `Node.js ${version} (${sha256})`
  } catch {
    return 'an unknown Node.js'
  }
}

function sha256(/** @type {string} */ path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
