import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { lacksPackages, npmEnvironment } from './npm.ts'
import { temporaryFolder } from './pubctl.ts'

const root = join(import.meta.dirname, '../../..')
const shell = process.platform === 'win32'

/** Packs the project with `npm pack`, as the README says, into a folder of its own, and gives the tarball's path. */
export function pack(folder = mkdtempSync(join(tmpdir(), 'pubctl-packed-'))): string {
  const args = ['pack', '--silent', '--pack-destination', folder]
  return join(folder, execFileSync('npm', args, { cwd: root, shell, encoding: 'utf8' }).trim())
}

export interface Installation {
  /** The folder of the package. */
  readonly folder: string
  readonly prefix: string
}

/**
 * Installs a tarball globally into an empty folder, which is by default gone when the test is, without running a script of any
 * package. What it needs beside comes from npm's cache or, where that lacks it, from the registry; gives nothing when neither
 * can be had.
 */
export function install(tarball: string, prefix = temporaryFolder()): Installation | undefined {
  const folder = join(prefix, shell ? '' : 'lib', 'node_modules/pubctl')
  mkdirSync(join(prefix, 'node_modules'), { recursive: true })
  const { status, stderr } = spawnSync(
    'npm',
    [
      ...['install', tarball, '--global', '--prefix', prefix, '--ignore-scripts'],
      ...['--no-audit', '--no-fund'],
    ],
    { shell, encoding: 'utf8', env: { ...process.env, ...npmEnvironment() } },
  )
  if (status === 0) return { folder, prefix }
  if (lacksPackages(stderr)) return undefined
  throw new Error(stderr)
}

/** A copy of what is installed, as npm leaves it with `--omit=optional`. It is gone when the test is. */
export function withoutOptional({ folder }: Installation): string {
  const copy = join(temporaryFolder(), 'node_modules/pubctl')
  const packages = globSync(['package.json', 'node_modules/{*,@*/*}/package.json'], {
    cwd: folder,
    absolute: true,
  })
  const optional = packages.flatMap(file =>
    Object.keys(JSON.parse(readFileSync(file, 'utf8')).optionalDependencies ?? {}),
  )
  const without = new Set(optional.map(name => join(folder, 'node_modules', name)))
  cpSync(folder, copy, { recursive: true, filter: path => !without.has(path) })
  return copy
}
