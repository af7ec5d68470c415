// Writes the software bill of materials of what is published, as CycloneDX: node .ci/sbom.js <file>
//
// npm knows what is installed; the build in dist/ says what of it is bundled.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, root } from './bundle.js'
import { serialNumberOf } from './serial-number.js'
import { sourceDate } from './source-date.js'
import { write } from './write.js'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file to write')

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
const bom = JSON.parse(
  execFileSync('npm', ['sbom', ...options, '--include=dev'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 27,
    shell: process.platform === 'win32',
  }),
)
const bundled = new Set(builtPackages().map((/** @type {any} */ each) => `${each.name}@${each.version}`))
const isBundled = (/** @type {any} */ component) => bundled.has(`${component.name}@${component.version}`)
const isForDevelopment = (/** @type {any} */ { properties = [] }) =>
  properties.some(
    (/** @type {any} */ each) => each.name === 'cdx:npm:package:development' && each.value === 'true',
  )
bom.components = bom.components.filter(
  (/** @type {any} */ component) => isBundled(component) || !isForDevelopment(component),
)
for (const component of bom.components.filter(isBundled)) {
  component.scope = 'required'
  component.properties = [{ name: 'pubctl:bundled', value: 'true' }]
}
// npm calls the package after the folder that it lies in.
bom.metadata.component.name = name
const left = new Set([
  bom.metadata.component['bom-ref'],
  ...bom.components.map((/** @type {any} */ each) => each['bom-ref']),
])
bom.dependencies = bom.dependencies
  .filter((/** @type {any} */ { ref }) => left.has(ref))
  .map((/** @type {any} */ { ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter((/** @type {string} */ each) => left.has(each)),
  }))

const missing = [...bundled].filter(
  each => !bom.components.some((/** @type {any} */ { name, version }) => `${name}@${version}` === each),
)
if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`)
bom.metadata.timestamp = sourceDate.toISOString()
bom.serialNumber = serialNumberOf({ ...bom, serialNumber: undefined })
write(file, `${JSON.stringify(bom, undefined, 2)}\n`)
console.log(`${bom.components.length} packages, ${bundled.size} of them bundled: ${file}`)
