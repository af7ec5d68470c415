import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { describeCommand, type LoadTree } from '../cli/command-tree.ts'
import type { Run } from '../cli/context.ts'
import { closest } from '../cli/output/did-you-mean.ts'
import type { View } from '../cli/output/view.ts'
import { wantsJson } from '../cli/output-kind.ts'
import { topicPage } from '../cli/topic-page.ts'
import { topics } from '../cli/topics.ts'
import { UsageFailure } from '../system/errors.ts'

const view: View = { columns: [], fields: () => new Set() }

export function register(help: Command, run: Run, loadTree: LoadTree): void {
  about(help.argument('[command...]', `a command, or ${topics.map(({ name }) => name).join(', ')}`), {
    does: 'reads',
    notForAgents: 'agents are told of the tools there are',
    examples: ['help publications upload', 'help exit-codes'],
    isLocal: true,
    needsSchemas: false,
  }).action(
    run(async (context, words) => {
      await context.check(view)
      const isJson = wantsJson(context)
      const topic = words.length === 1 ? topics.find(({ name }) => name === words[0]) : undefined
      // The help of pubctl itself needs the names of the groups alone, and that of another command its own group.
      const group = words[0] ?? (isJson ? undefined : '')
      const command = topic ? undefined : find(await loadTree(group), words)
      if (isJson) await context.json(topic ?? (command && describeCommand(command)))
      else await context.out.styled(topic ? topicPage(topic, help) : (command?.helpInformation() ?? ''))
    }),
  )
}

/** The command that the words name; throws what they may have meant. */
function find(root: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  let command = root
  for (const word of words) {
    const visible = command.createHelp().visibleCommands(command)
    const next = visible.find(each => each.name() === word)
    if (next === undefined) throw unknown(command, visible, word)
    command = next
  }
  return command
}

function unknown(
  command: CommandUnknownOpts,
  visible: readonly CommandUnknownOpts[],
  word: string,
): UsageFailure {
  const isRoot = command.parent === null
  const known = [...visible.map(each => each.name()), ...(isRoot ? topics.map(({ name }) => name) : [])]
  const near = closest(word, known)
  return new UsageFailure(
    `there is no ${isRoot ? 'command or topic' : 'command'} "${word}"${isRoot ? '' : ` in "${command.name()}"`}${near ? `; did you mean "${near}"?` : ''}`,
    { hint: `${isRoot ? 'pubctl --help' : `pubctl help ${command.name()}`} lists the commands.` },
  )
}
