import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { makeCluster } from '../servers/postgres-cluster.ts'
import { lacksPackages, npmEnvironment } from './npm.ts'
import { type Installation, install, pack } from './packed.ts'

const [packages = '', executable = ''] = ['all.js', 'executable.js'].map(name =>
  join(import.meta.dirname, '../../../.ci/packages', name),
)

/** The platforms that a Linux builds executables for, besides its own. */
const otherPlatforms = ['windows-x64', 'macos-arm64', 'macos-x64']

/** What is released or installed, or takes long to make. Each is made in a folder of its own. */
const makers = {
  /** The path of the packed tarball. */
  tarball: (folder: string) => pack(folder),
  /** The tarball, installed globally; null where neither npm's cache nor the registry has what it needs. */
  installed: async (folder: string): Promise<Installation | null> =>
    install(await artefact('tarball'), folder) ?? null,
  /** The programs of PostgreSQL, and a cluster of databases that is not in use, to be copied. */
  cluster: makeCluster,
  /** The executable, its archive and its Debian package. */
  packages: (folder: string) => ({
    folder,
    files: execFileSync(process.execPath, [packages, folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split('\n'),
  }),
  /** The executables for other systems; null where neither npm's cache nor the registry has what they need. */
  executables: (folder: string): string[] | null => {
    const made = otherPlatforms.map(platform =>
      spawnSync(process.execPath, [executable, folder, platform], {
        encoding: 'utf8',
        env: { ...process.env, ...npmEnvironment() },
      }),
    )
    const failed = made.find(({ status }) => status !== 0)?.stderr
    if (failed === undefined) return made.map(({ stdout }) => stdout.trim())
    if (lacksPackages(failed)) return null
    throw new Error(failed)
  },
}
type Made = { [name in keyof typeof makers]: Awaited<ReturnType<(typeof makers)[name]>> }

/** An artefact, which is made once in a run of all tests and shared by them. Whoever asks while it is made waits for it. */
export async function artefact<N extends keyof Made>(name: N): Promise<Made[N]> {
  const folder = join(inject('artefacts'), name)
  const result = `${folder}.json`
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    writeFileSync(`${result}.draft`, JSON.stringify(await tried(() => makers[name](folder))))
    renameSync(`${result}.draft`, result)
  }
  while (!existsSync(result)) await sleep(100)
  const { value, error } = JSON.parse(readFileSync(result, 'utf8'))
  if (error !== undefined) throw new Error(error)
  return value
}

async function tried(make: () => unknown): Promise<{ value: unknown } | { error: string }> {
  try {
    return { value: await make() }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
