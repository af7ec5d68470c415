// Builds what a release offers, and prints each file: node .ci/packages/all.js [<folder> [<platform>...]]
//
// Platforms are such as linux-x64 and macos-arm64; it is this one where none is named.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../bundle.js'
import { thisPlatform } from '../platform.js'
import '../source-date.js'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [folder = join(root, 'dist/packages'), ...platforms] = process.argv.slice(2)
const destination = resolve(folder)
mkdirSync(destination, { recursive: true })

for (const platform of platforms.length > 0 ? platforms : [thisPlatform]) {
  const built = run('executable.js', destination, platform)
  console.log(run('archive.js', built))
  const isForHere = platform === thisPlatform
  if (isForHere && spawnSync('dpkg-deb', ['--version']).status === 0) console.log(run('deb.js', built))
}
const bom = join(destination, `pubctl-${version}.cdx.json`)
execFileSync(process.execPath, [join(root, '.ci/sbom.js'), bom], { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(bom)

function run(/** @type {string} */ script, /** @type {string[]} */ ...args) {
  return execFileSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
}
