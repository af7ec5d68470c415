import type { Command } from '@commander-js/extra-typings'
import { exitCodes, exitMeanings } from '../errors.ts'
import type { View } from '../output/view.ts'
import type { Run, Whole } from '../program.ts'
import { describe } from '../tree.ts'
import { version } from '../version.ts'
import { about } from './about.ts'

const view: View = {
  columns: [],
  fields: () =>
    new Set(
      'name version summary usage examples options options.* exitCodes exitCodes.* commands commands.*'.split(
        ' ',
      ),
    ),
  empty: '',
}

export function register(group: Command, run: Run, whole: Whole): void {
  about(group, {
    examples: ['commands', 'commands --query "commands[].commands[].path"'],
    isLocal: true,
  }).action(
    run(async context => {
      await context.check(view)
      const { path: _, summary, usage, examples, options, commands } = describe(await whole())
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
