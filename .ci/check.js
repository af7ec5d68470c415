// Checks what can be told without running the program's tests, and goes on after what fails: npm run check [-- <name>...]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './bundle.js'

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)

/** @type {Readonly<Record<string, readonly string[]>>} */
const checks = {
  types: [bin('typescript/bin/tsc')],
  lint: [bin('@biomejs/biome/bin/biome'), 'check'],
  regexp: ['.ci/regexp.js'],
  workflows: ['.ci/workflows.js'],
  unused: [bin('knip/bin/knip.js')],
  openapi: ['.ci/openapi.js'],
  rooms: ['.ci/rooms.js'],
}

const names = process.argv.slice(2)
const unknown = names.filter(name => !Object.hasOwn(checks, name))
if (unknown.length > 0) {
  console.error(`check: nothing is called ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`)
  process.exit(1)
}
const failed = Object.entries(checks)
  .filter(([name]) => names.length === 0 || names.includes(name))
  .filter(([, args]) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0)
for (const [name] of failed) console.error(`── failed: npm run check -- ${name}`)
if (failed.length > 0) process.exitCode = 1
