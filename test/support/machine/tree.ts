import { execFileSync } from 'node:child_process'
import type { CommandNode } from '../../../src/cli/command-tree.ts'
import { bin } from './bin-path.ts'

interface Root extends Omit<CommandNode, 'exitCodes'> {
  exitCodes: { code: number; name: string; meaning: string }[]
}

/** What the built program says of itself. */
export const root: Root = JSON.parse(
  execFileSync(process.execPath, [bin, 'commands'], { encoding: 'utf8', maxBuffer: 1e8 }),
)

/** The commands below one that do something, rather than hold others. */
export const leaves = (command: Pick<CommandNode, 'commands'>): CommandNode[] =>
  command.commands.flatMap(each => (each.commands.length > 0 ? leaves(each) : [each]))
