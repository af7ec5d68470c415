import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { execa } from 'execa'
import { temporaryFolder } from './pubctl.ts'

const works = ([program = '', ...args]: readonly string[]): boolean => spawnSync(program, args).status === 0

/** Only root may make a network of its own; others become root of a namespace for it, where the system lets them. */
const apart =
  process.getuid?.() === 0 ? ['/usr/bin/unshare', '--net'] : ['/usr/bin/unshare', '--map-root-user', '--net']
const loopback = 'PATH=$PATH:/usr/sbin:/sbin ip link set lo up && exec "$@"'
const offline = [...apart, '/bin/sh', '-c', loopback, 'sh']

/** Whether a program can be run where there is no network but this machine itself. */
export const canGoOffline = works([...offline, '/bin/true'])

const nobody = 65534
const asNobody = ['/usr/bin/setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
/** Whether a program can be run as a user without rights, which only root can do. */
export const canBeNobody = process.getuid?.() === 0 && works([...asNobody, '/bin/true'])

interface Place {
  /** All there is in the environment. */
  readonly env: Record<string, string>
  readonly home?: string
  /** The folder that the line is typed in; the home without it. */
  readonly cwd?: string
  readonly isOffline?: boolean
  /** As a user who owns nothing but the home folder. */
  readonly isNobody?: boolean
}

/** A home folder that is empty and belongs to a user without rights. It is gone when the test is. */
export function homeOfNobody(): string {
  const home = temporaryFolder()
  chownSync(home, nobody, nobody)
  return home
}

/** Runs a script as `sh` does in some place: without a terminal, with nothing on standard input, and with its environment only. */
export async function runAt({ env, home = temporaryFolder(), cwd = home, ...place }: Place, script: string) {
  const words = [
    ...(place.isOffline ? offline : []),
    ...(place.isNobody ? asNobody : []),
    ...['/bin/sh', '-e', '-c', script],
  ]
  const [program = '', ...args] = words
  const { exitCode, stdout, stderr } = await execa(program, args, {
    cwd,
    env: { HOME: home, ...env },
    ...{ extendEnv: false, reject: false, stdin: 'ignore' },
  })
  return { code: exitCode, stdout, stderr, home }
}
