import { execa, execaSync } from 'execa'
import { withoutCurrentFolder } from './program-path.ts'

/** A program that shows text a screen at a time. */
export interface Pager {
  /** Calls `done` when the text was taken, or with an error such as `EPIPE` when the user has left. */
  write(text: string | Uint8Array, done: (error?: Error | null) => void): unknown
  /** Resolves when the user has left it. */
  close(): Promise<void>
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
  if (
    process.platform !== 'win32' &&
    execaSync('/bin/sh', ['-c', 'command -v "$0"', program], { env, extendEnv: false, reject: false })
      .exitCode !== 0
  ) {
    return undefined
  }
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
      await pager
      process.removeListener('SIGINT', ignore)
      for (const listener of listeners) process.on('SIGINT', listener)
    },
  }
}
