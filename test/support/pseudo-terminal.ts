import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')

interface Options {
  home: string
  env?: Record<string, string>
  columns?: number
}

/** The program, or a shell line that calls it as `pubctl` and outlives its Ctrl-C, at a real pseudo-terminal. */
export function atTerminal(command: readonly string[] | string, { home, env = {}, columns = 80 }: Options) {
  const [file, args] =
    typeof command === 'string'
      ? ['/bin/sh', ['-c', `trap : INT; pubctl() { "${process.execPath}" "${bin}" "$@"; }\n${command}`]]
      : [process.execPath, [bin, ...command]]
  const terminal = spawn(file, [...args], {
    name: 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd: home,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      PUBCTL_SANDBOX_DELAY: '5ms',
      ...env,
    },
  })
  onTestFinished(() => {
    try {
      terminal.kill('SIGKILL')
    } catch {
      // It is gone, which is what is wanted.
    }
  })
  let text = ''
  terminal.onData(data => {
    text += data
  })
  const exit = new Promise<number>(resolve => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  return {
    /** Everything it has shown so far, as the terminal got it. */
    get shown() {
      return text
    },
    type: (keys: string) => terminal.write(keys),
    /** Waits until it has shown something; fails with what it has shown when it ended without that. */
    async until(pattern: RegExp): Promise<void> {
      let isOver = false
      exit.then(() => {
        isOver = true
      })
      for (;;) {
        if (pattern.test(text)) return
        if (isOver) throw new Error(`ended without ${pattern}: ${JSON.stringify(text)}`)
        await sleep(10)
      }
    },
    /** Its exit code, and what it had shown by then. */
    async ended(): Promise<{ code: number; text: string }> {
      const code = await exit
      return { code, text: text.replaceAll('\r\n', '\n') }
    },
  }
}
