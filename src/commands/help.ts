import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { describeCommand, type LoadTree } from '../cli/command-tree.ts'
import type { Run } from '../cli/context.ts'
import type { View } from '../cli/output/view.ts'
import { wantsJson } from '../cli/output-kind.ts'
import { topicPage } from '../cli/topic-page.ts'
import { topics } from '../cli/topics.ts'
import { unknownCommand } from '../cli/usage-errors.ts'

const topicNames = topics.map(({ name }) => name)

const view: View = { columns: [], fields: () => new Set() }

export function register(help: Command, run: Run, loadTree: LoadTree): void {
  about(help.argument('[command...]', `a command, or ${topicNames.join(', ')}`), {
    does: 'reads',
    notForAgents: 'agents are told of the tools there are',
    examples: ['help publications upload', 'help exit-codes'],
    isLocal: true,
  }).action(
    run(async (context, words) => {
      await context.check(view)
      const isJson = wantsJson(context)
      const topic = words.length === 1 ? topics.find(({ name }) => name === words[0]) : undefined
      // The help of pubctl itself needs the names of the groups alone, and that of another command its own group.
      const group = words[0] ?? (isJson ? undefined : '')
      const command = topic ? undefined : await find(loadTree, group, words)
      if (isJson) await context.json(topic ?? (command && describeCommand(command)))
      else await context.out.styled(topic ? topicPage(topic, help) : (command?.helpInformation() ?? ''))
    }),
  )
}

/** The command that the words name; throws what they may have meant. */
async function find(
  loadTree: LoadTree,
  group: string | undefined,
  words: readonly string[],
): Promise<CommandUnknownOpts> {
  const root = await loadTree(group)
  let command: CommandUnknownOpts = root
  for (const word of words) {
    const visible = command.createHelp().visibleCommands(command)
    const next = visible.find(each => each.name() === word)
    if (next === undefined) {
      // What the word may have meant can be a verb of any group.
      if (command === root) throw unknownCommand(await loadTree(), word, topicNames)
      throw unknownCommand(command, word)
    }
    command = next
  }
  return command
}
