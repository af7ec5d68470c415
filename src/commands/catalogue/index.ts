import type { Command } from '@commander-js/extra-typings'
import type { Run } from '../../cli/context.ts'
import { registerAccept } from './accept.ts'
import { registerApply } from './apply.ts'
import { registerDrift } from './drift.ts'
import { registerExport } from './export-command.ts'
import { registerIndex } from './index-command.ts'
import { registerPlan } from './plan.ts'
import { registerRevert } from './revert.ts'

export function register(group: Command, run: Run): void {
  registerPlan(group, run)
  registerApply(group, run)
  registerRevert(group, run)
  registerAccept(group, run)
  registerDrift(group, run)
  registerExport(group, run)
  registerIndex(group, run)
}
