import { onTestFinished } from 'vitest'
import { openTerminal, type TerminalOptions } from '../../../scripts/terminal.ts'
import { environment } from './bin.ts'

interface Options extends Omit<TerminalOptions, 'env'> {
  env?: Record<string, string>
}

/** A real pseudo-terminal of a test, gone when the test is. */
export function atTerminal(command: readonly string[] | string, { home, env = {}, ...options }: Options) {
  const terminal = openTerminal(command, { ...options, home, env: environment({ HOME: home, ...env }) })
  onTestFinished(terminal.close)
  return terminal
}
