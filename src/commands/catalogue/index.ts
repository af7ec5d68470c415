import type { Command } from '@commander-js/extra-typings'
import type { Run } from '../../context.ts'
import { registerApply } from './apply.ts'
import { registerExport } from './export-command.ts'
import { registerIndex } from './index-command.ts'

export function register(group: Command, run: Run): void {
  registerApply(group, run)
  registerExport(group, run)
  registerIndex(group, run)
}
