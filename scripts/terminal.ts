import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { root } from './program.ts'

/** Stands around the exit code; nothing that pubctl prints may hold a control character. */
const over = '\u001e'

export interface TerminalOptions {
  /** The folder that it starts in. */
  home: string
  env: Record<string, string>
  columns?: number
  rows?: number
  /** The path of an executable that is run in place of the build. */
  program?: string
}

/**
 * The program, or a shell line that calls it as `pubctl` and outlives its Ctrl-C, at a real pseudo-terminal. A shell
 * around it tells how it ended and then waits: what a process wrote last is lost when its terminal goes with it.
 */
export function openTerminal(
  command: readonly string[] | string,
  { home, env, columns = 80, rows = 40, program }: TerminalOptions,
) {
  const [line, args] = typeof command === 'string' ? [command, []] : ['pubctl "$@"', command]
  const pubctl =
    program === undefined ? `"${process.execPath}" "${join(root, 'bin/pubctl.js')}"` : `"${program}"`
  const script = `trap : INT
pubctl() { ${pubctl} "$@"; }
(trap : INT; ${line})
printf '${over}%s${over}' "$?"
read -r _`
  const terminal = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: home,
    env: { HOME: home, TERM: 'xterm-256color', PUBCTL_SANDBOX_DELAY: '5ms', ...env },
  })
  let text = ''
  terminal.onData(data => {
    text += data
  })
  const exit = new Promise<void>(resolve => terminal.onExit(() => resolve()))
  const ending = new RegExp(`${over}(\\d+)${over}`)
  return {
    /** Everything it has shown so far, as the terminal got it. */
    get shown() {
      return text
    },
    type: (keys: string) => terminal.write(keys),
    close(): void {
      try {
        terminal.kill('SIGKILL')
      } catch {
        // It is gone, which is what is wanted.
      }
    },
    /** Waits until it has shown something; fails with what it has shown when it ended without that. */
    async until(pattern: RegExp): Promise<void> {
      while (!pattern.test(text)) {
        if (ending.test(text)) throw new Error(`ended without ${pattern}: ${JSON.stringify(text)}`)
        await sleep(10)
      }
    },
    /** Its exit code, and what it had shown by then. */
    async ended(): Promise<{ code: number; text: string }> {
      while (!ending.test(text)) await sleep(10)
      const [mark, code] = ending.exec(text) as RegExpExecArray
      const shown = text.slice(0, text.indexOf(mark))
      terminal.write('\r')
      await exit
      return { code: Number(code), text: shown.replaceAll('\r\n', '\n') }
    },
  }
}
