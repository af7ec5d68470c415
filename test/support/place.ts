import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { execa } from 'execa'
import { temporaryFolder } from './pubctl.ts'

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0

/** Whether a program can be run where there is no network but this machine itself. */
export const canGoOffline = works('unshare', '--net', 'ip', 'link', 'set', 'lo', 'up')

const nobody = 65534
/** Whether a program can be run as a user without rights, which only root can do. */
export const canBeNobody =
  process.getuid?.() === 0 &&
  works('setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', 'true')

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
    ...(place.isOffline
      ? ['unshare', '--net', 'sh', '-c', 'PATH=$PATH:/usr/sbin:/sbin ip link set lo up && exec "$@"', 'sh']
      : []),
    ...(place.isNobody ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []),
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
