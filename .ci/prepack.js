// Makes what is published and not in the repository, before npm packs: the build, its types, the manual, the licences of what is
// bundled, the list of it (sbom.json), and the names of the pages in package.json, which postpack.js takes away again.
//
// Standard output is left to npm, whose `npm pack` prints the name of the tarball there.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listPages } from './manual-list.js'
import './source-date.js'

const root = join(import.meta.dirname, '..')

run('setup.js')
run('build.js', '--clean')
for (const script of ['declarations.js', 'man.js', 'notices.js']) run(script)
run('sbom.js', 'sbom.json')
listPages()
await setModes()

function run(/** @type {string} */ script, /** @type {string[]} */ ...args) {
  execFileSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Gives what is published the modes that it has for everybody, since npm packs those that a umask left. */
async function setModes() {
  // Only now is it there, if setup.js has just installed it.
  const { glob } = await import('tinyglobby')
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const always = ['package.json', 'README.md', 'LICENSE']
  for (const path of await glob([...files, ...always], { cwd: root, absolute: true }))
    chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
}
