// Builds what a release offers for this platform, and prints each file: node .ci/packages/all.js [<folder>]
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../bundle.js'
import '../source-date.js'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const destination = resolve(process.argv[2] ?? join(root, 'dist/packages'))
mkdirSync(destination, { recursive: true })

const built = run('executable.js', destination)
console.log(run('archive.js', built))
if (spawnSync('dpkg-deb', ['--version']).status === 0) console.log(run('deb.js', built))
const bom = join(destination, `pubctl-${version}.cdx.json`)
execFileSync(process.execPath, [join(root, '.ci/sbom.js'), bom], { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(bom)

function run(/** @type {string} */ script, /** @type {string} */ argument) {
  return execFileSync(process.execPath, [join(import.meta.dirname, script), argument], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
}
