// Packs pubctl as it would be published, and prints where the tarball lies: node .ci/pack.js <folder> [--built]
//
// Packing builds anew, unless --built says that the build in dist/ is that of the source, and holds nothing that was built
// before. That happens in a copy, since tests and commands may be using the build of this folder meanwhile. There, what is
// bundled is taken out of the package's dependencies, or it would be installed a second time. In the project it stays one, so
// that `npm audit` and `npm sbom` know of it, and sbom.json lists it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { external } from './bundle.js'

const root = join(import.meta.dirname, '..')
const destination = resolve(process.argv[2] ?? '.')
const copy = mkdtempSync(join(tmpdir(), 'pubctl-pack-'))
const apart = ['.git', 'node_modules', 'dist', 'test', 'coverage']
const npm = (cwd, ...args) =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
try {
  cpSync(root, copy, {
    recursive: true,
    filter: path => !apart.some(name => path === join(root, name)) && !path.endsWith('.tgz'),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const built = process.argv.includes('--built') ? [root] : []
  execFileSync(process.execPath, ['.ci/prepack.js', ...built], { cwd: copy, stdio: 'ignore' })
  execFileSync(process.execPath, ['.ci/sbom.js', 'sbom.json'], { cwd: copy, stdio: 'ignore' })
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => external.includes(name))
  const published = { ...manifest, dependencies: Object.fromEntries(dependencies) }
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  const [{ filename }] = JSON.parse(npm(copy, 'pack', '--ignore-scripts', '--json', '--pack-destination', destination))
  console.log(join(destination, filename))
} finally {
  rmSync(copy, { recursive: true, force: true })
}
