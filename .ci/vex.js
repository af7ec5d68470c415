// Writes what is known of vulnerabilities in the packages of the bill of materials, and whether they can be used in pubctl, as a
// CycloneDX VEX: node .ci/vex.js <bill of materials> <file>
//
// vex.json holds the statements: [{ "id": "GHSA-…", "package": "undici", "state": "not_affected", "justification":
// "code_not_reachable", "detail": "…" }].
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialNumberOf } from './serial-number.js'
import { write } from './write.js'

const states = ['resolved', 'exploitable', 'in_triage', 'not_affected']
const justifications = [
  'code_not_present',
  'code_not_reachable',
  'requires_configuration',
  'requires_dependency',
  'requires_environment',
  'protected_by_compiler',
  'protected_at_runtime',
  'protected_at_perimeter',
  'protected_by_mitigating_control',
]

const [billOfMaterials, file, statements = join(import.meta.dirname, 'vex.json')] = process.argv.slice(2)
if (billOfMaterials === undefined || file === undefined)
  throw new Error('name the bill of materials, and the file to write')

const { $schema, bomFormat, specVersion, serialNumber, version, metadata, components } = JSON.parse(
  readFileSync(billOfMaterials, 'utf8'),
)
/** The address of a component in the bill of materials (https://cyclonedx.org/capabilities/bomlink/). */
const linkOf = (/** @type {string} */ ref) =>
  `urn:cdx:${serialNumber.replace('urn:uuid:', '')}/${version}#${encodeURIComponent(ref)}`
const { timestamp, component } = metadata
const vex = {
  $schema,
  bomFormat,
  specVersion,
  version: 1,
  metadata: { timestamp, component },
  vulnerabilities: JSON.parse(readFileSync(statements, 'utf8')).map(vulnerabilityOf),
}
write(file, `${JSON.stringify({ ...vex, serialNumber: serialNumberOf(vex) }, undefined, 2)}\n`)
console.log(`${vex.vulnerabilities.length} statements: ${file}`)

function vulnerabilityOf(/** @type {any} */ { id, package: name, state, justification, detail }) {
  const affected = components.filter(
    (/** @type {any} */ each) => [each.group, each.name].filter(Boolean).join('/') === name,
  )
  const fault =
    (!id && 'has no id') ||
    (affected.length === 0 && `is about ${name}, which is not in the bill of materials`) ||
    (!states.includes(state) && `has the state ${state}; there are ${states.join(', ')}`) ||
    (state === 'not_affected' &&
      !justifications.includes(justification) &&
      `has the justification ${justification}; there are ${justifications.join(', ')}`) ||
    (!detail && 'has no detail')
  if (fault) throw new Error(`the statement ${id ?? '?'} in vex.json ${fault}`)
  return {
    id,
    analysis: { state, ...(state === 'not_affected' ? { justification } : {}), detail },
    affects: affected.map((/** @type {any} */ each) => ({ ref: linkOf(each['bom-ref']) })),
  }
}
