import type { Command } from '@commander-js/extra-typings'
import type { Run } from '../../context.ts'
import { registerIndex } from './index-command.ts'

export function register(group: Command, run: Run): void {
  registerIndex(group, run)
}
