import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { describeCommand, type LoadTree } from '../cli/command-tree.ts'
import type { Run } from '../cli/context.ts'
import type { View } from '../cli/output/view.ts'
import { exitCodes, exitMeanings } from '../system/errors.ts'
import { version } from '../system/version.ts'

const view: View = {
  columns: [],
  fields: () =>
    new Set(
      'name version summary usage examples options options.* exitCodes exitCodes.* commands commands.*'.split(
        ' ',
      ),
    ),
}

export function register(group: Command, run: Run, loadTree: LoadTree): void {
  about(group, {
    does: 'reads',
    notForAgents: 'agents are told of the tools there are',
    examples: ['commands', 'commands --query "commands[].commands[].path"'],
    isLocal: true,
  }).action(
    run(async context => {
      await context.check(view)
      const { path: _, summary, usage, examples, options, commands } = describeCommand(await loadTree())
      await context.json({
        name: 'pubctl',
        version,
        summary,
        usage,
        examples,
        options,
        exitCodes: exitCodeTable(),
        commands,
      })
    }),
  )
}

/** Every exit code with its name and its meaning. */
export const exitCodeTable = (): { code: number; name: string; meaning: string }[] =>
  Object.entries(exitCodes).map(([name, code]) => ({
    code,
    name,
    meaning: exitMeanings[name as keyof typeof exitCodes],
  }))
