import type { Command } from '@commander-js/extra-typings'
import type { Run } from '../../cli/context.ts'
import { registerApply } from './apply.ts'
import { registerExport } from './export-command.ts'
import { registerIndex } from './index-command.ts'
import { registerPlan } from './plan.ts'

export function register(group: Command, run: Run): void {
  registerPlan(group, run)
  registerApply(group, run)
  registerExport(group, run)
  registerIndex(group, run)
}
