// Makes everything in dist/ that is published: node .ci/prepack.js [<folder>]
//
// It builds the program anew, or takes the build of another folder, and then writes what belongs to it.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.js'

const [other] = process.argv.slice(2)
if (other === undefined) run('build.js', '--clean')
else {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const { files } = JSON.parse(readFileSync(join(other, 'dist/build.json'), 'utf8'))
  for (const file of ['build.json', ...files]) cpSync(join(other, 'dist', file), join(root, 'dist', file))
}
for (const script of ['declarations.js', 'man.js', 'notices.js']) run(script)

function run(script, ...args) {
  execFileSync(process.execPath, [join(import.meta.dirname, script), ...args], { stdio: 'inherit' })
}
