// Writes the software bill of materials of what is published, as CycloneDX: node .ci/sbom.js <file>
//
// npm knows what is installed; the build in dist/ says what of it is bundled.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, external, root } from './bundle.js'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file to write')

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
const bom = JSON.parse(
  execFileSync('npm', ['sbom', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 27,
    shell: process.platform === 'win32',
  }),
)
const bundled = new Set(builtPackages().map(each => `${each.name}@${each.version}`))
const isForDevelopment = ({ properties = [] }) =>
  properties.some(each => each.name === 'cdx:npm:package:development' && each.value === 'true')
const needed = neededRefs()
bom.components = bom.components.filter(
  component =>
    bundled.has(`${component.name}@${component.version}`) ||
    (needed.has(component['bom-ref']) && !isForDevelopment(component)),
)
for (const component of bom.components) {
  if (!bundled.has(`${component.name}@${component.version}`)) continue
  component.scope = 'required'
  component.properties = [{ name: 'pubctl:bundled', value: 'true' }]
}
// npm calls the package after the folder that it lies in.
bom.metadata.component.name = name
const left = new Set([bom.metadata.component['bom-ref'], ...bom.components.map(each => each['bom-ref'])])
bom.dependencies = bom.dependencies
  .filter(({ ref }) => left.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(each => left.has(each)) }))

/** What pubctl names itself, and all that its native packages need. What only a bundled package needs is bundled or left out. */
function neededRefs() {
  const direct = bom.dependencies.find(({ ref }) => ref === bom.metadata.component['bom-ref'])?.dependsOn ?? []
  const refs = new Set(direct)
  const isNative = ref => external.includes(bom.components.find(each => each['bom-ref'] === ref)?.name)
  const waiting = direct.filter(isNative)
  for (const from of waiting) {
    for (const ref of bom.dependencies.find(each => each.ref === from)?.dependsOn ?? []) {
      if (!refs.has(ref)) waiting.push(ref)
      refs.add(ref)
    }
  }
  return refs
}

const missing = [...bundled].filter(each => !bom.components.some(({ name, version }) => `${name}@${version}` === each))
if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`)
writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`)
console.log(`${bom.components.length} packages, ${bundled.size} of them bundled: ${file}`)
