// Packs pubctl as it would be published, and prints where the tarball lies: node .ci/pack.js <folder>
//
// Packing builds anew and clears what was built before. That happens in a copy, since tests and commands may be using the
// build of this folder meanwhile.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const destination = resolve(process.argv[2] ?? '.')
const copy = mkdtempSync(join(tmpdir(), 'pubctl-pack-'))
const apart = ['.git', 'node_modules', 'dist', 'test', 'coverage']
try {
  cpSync(root, copy, {
    recursive: true,
    filter: path => !apart.some(name => path === join(root, name)) && !path.endsWith('.tgz'),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
      cwd: copy,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  )
  console.log(join(destination, filename))
} finally {
  rmSync(copy, { recursive: true, force: true })
}
