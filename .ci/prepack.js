// Makes what is published and not in the repository, before npm packs: the build, its types, the manual, the licences of what is
// bundled, and the list of it (sbom.json).
//
// Standard output is left to npm, whose `npm pack` prints the name of the tarball there.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

run('setup.js')
run('build.js', '--clean')
for (const script of ['declarations.js', 'man.js', 'notices.js']) run(script)
run('sbom.js', 'sbom.json')

function run(script, ...args) {
  execFileSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
