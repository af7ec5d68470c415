import { isAbsolute } from 'node:path'
import { execa, execaSync } from 'execa'
import { findProgram, withoutCurrentFolder } from './program-path.ts'

/** A program that shows text a screen at a time. */
export interface Pager {
  /** Calls `done` when the text was taken, or with an error such as `EPIPE` when the user has left. */
  write(text: string | Uint8Array, done: (error?: Error | null) => void): unknown
  /** Resolves when the user has left it. It has failed if it ended with another exit code than 0, and may have shown nothing. */
  close(): Promise<{ readonly hasFailed: boolean }>
}

/** Opens a pager by its command line; undefined if there is no such program. */
export type OpenPager = (command: string) => Pager | undefined

/**
 * Opens a pager at the terminal of this process. Ctrl-C belongs to it until the user has left it, because there it stops a
 * search. Unless LESS says otherwise, less shows colours, and ends by itself if everything fits on the screen.
 */
export const openPager: OpenPager = command => {
  const [program = ''] = command.trim().split(/\s+/)
  // Variables of pubctl may hold a key, and are not for the pager.
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith('PUBCTL_'))
  const env = { LESS: 'FRX', ...withoutCurrentFolder(Object.fromEntries(variables)) }
  if (!isThere(program, env)) return undefined
  const pager = execa(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
    extendEnv: false,
    // The user leaves it, also after pubctl has ended.
    cleanup: false,
    reject: false,
  })
  // The system starts no more processes, and everything is printed at once.
  if (pager.pid === undefined) return undefined
  const ignore = () => undefined
  // Each write reports its own error.
  pager.stdin.on('error', ignore)
  const listeners = process.listeners('SIGINT')
  process.removeAllListeners('SIGINT').on('SIGINT', ignore)
  return {
    write: (text, done) => pager.stdin.write(text, done),
    async close() {
      pager.stdin.end()
      const { exitCode = 0 } = await pager
      process.removeListener('SIGINT', ignore)
      for (const listener of listeners.splice(0)) process.on('SIGINT', listener)
      return { hasFailed: exitCode !== 0 }
    },
  }
}

/** Whether there is such a program. The shell of Windows has no word for that, and would only say that there is none. */
function isThere(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (process.platform === 'win32') {
    const name = program.replaceAll('"', '')
    return isAbsolute(name) || findProgram(name.replace(/\.(exe|cmd|bat)$/i, ''), env) !== undefined
  }
  const look = ['-c', 'command -v "$0"', program]
  return execaSync('/bin/sh', look, { env, extendEnv: false, reject: false }).exitCode === 0
}
