import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const root = join(import.meta.dirname, '../..')

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const bundled = (): string[] => read('dist/build.json').packages.map(({ name }: { name: string }) => name)

/** Packages that look for a configuration, a folder or a module above the current folder, or load what they find. */
const searching =
  /^(?:(?:cosmi|lil|un|n)config|config|convict|c12|rc\d*|rc-config-loader|dotenv.*|@dotenvx\/.*|env-cmd|find-up.*|findup-sync|find-root|find-package-json|pkg-(?:up|dir|conf)|(?:read-)?(?:pkg|package)-up|locate-path|escalade|empathic|joycon|liftoff|interpret|app-root-path|jiti|import-local|tsx|ts-node|require-directory)$/

/** The packages that are installed of these, and of what they need. */
function withDependencies(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const manifest = join(root, 'node_modules', name, 'package.json')
    if (found.has(name) || !existsSync(manifest)) continue
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
    found.add(name)
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), found)
  }
  return found
}

describe('a search for configuration in the current folder and above', () => {
  it('is in none of the packages that are bundled', () => {
    const names = bundled()
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter(name => searching.test(name))).toEqual([])
  })

  it('is in four that are installed beside it, none of which is loaded', () => {
    const { dependencies, optionalDependencies, peerDependencies } = read('package.json')
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    const found = [...withDependencies(names.filter(name => !bundled().includes(name)))]
    expect(found).toEqual(expect.arrayContaining(['libsql', 'pg-pool']))
    // cosmiconfig has a stand-in; the others are for the command of graphile-worker itself.
    const known = ['cosmiconfig', 'escalade', 'interpret', 'require-directory']
    expect(found.filter(name => searching.test(name)).sort()).toEqual(known)
    const loaded = loadedByQueue()
    expect(loaded).toContain('graphile-worker/dist/main.js')
    expect(loaded.filter(path => /^(?:escalade|interpret|require-directory|yargs)\//.test(path))).toEqual([])
    expect(loaded.filter(path => path.startsWith('cosmiconfig/'))).toEqual(['cosmiconfig/dist/index.js'])
  })

  it('is in no other package under a name that is not known, which would begin with the current folder', () => {
    const asking = loadedByQueue().filter(
      path =>
        !path.startsWith('cosmiconfig/') &&
        /\.cwd\(\)/.test(readFileSync(join(root, 'node_modules', path), 'utf8')),
    )
    // For the files of tasks and of a crontab, which are never read, since both are given.
    expect(asking).toEqual([
      'graphile-worker/dist/config.js',
      'graphile-worker/dist/plugins/LoadTaskFromExecutableFilePlugin.js',
    ])
  })
})

/** The modules of packages that "queue status" has loaded, by their paths, without the ones that have a stand-in. */
function loadedByQueue(): string[] {
  const folder = temporaryFolder()
  const hook = join(folder, 'hook.cjs')
  const told = join(folder, 'told.json')
  writeFileSync(
    hook,
    `process.on('exit', () =>
       require('fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(Object.keys(require.cache))))`,
  )
  try {
    execFileSync(
      process.execPath,
      [
        '--require',
        hook,
        join(root, 'bin/pubctl.js'),
        'queue',
        'status',
        '--database',
        'postgres://127.0.0.1:1/x',
      ],
      { env: { HOME: folder, PATH: process.env['PATH'] ?? '' }, stdio: 'pipe' },
    )
  } catch (error) {
    expect((error as { status: number }).status).toBe(8)
  }
  const paths: string[] = JSON.parse(readFileSync(told, 'utf8'))
  return paths.flatMap(path => path.replaceAll('\\', '/').split('/node_modules/').slice(1, 2))
}
