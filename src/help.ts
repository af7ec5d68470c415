import type { CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings'
import { factsOf } from './commands/about.ts'

/**
 * A command's help: what it is for, how it is called, examples, then its commands and options in groups. The options
 * that every command takes are listed once, in the help of `pubctl` itself.
 */
export function formatHelp(command: CommandUnknownOpts, helper: Help): string {
  const isRoot = command.parent === null
  const blocks = [
    command.description(),
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    block(
      helper,
      'Examples:',
      factsOf(command).examples.map(example => `  $ pubctl ${example}`),
    ),
    ...grouped(
      helper,
      helper.visibleCommands(command),
      each => each.helpGroup() || 'Commands:',
      helper.subcommandTerm,
      each => helper.subcommandDescription(each),
    ),
    ...grouped(
      helper,
      helper.visibleArguments(command).filter(({ description }) => description !== ''),
      () => 'Arguments:',
      helper.argumentTerm,
      each => helper.argumentDescription(each),
    ),
    ...grouped(
      helper,
      helper.visibleOptions(command).filter(({ long }) => isRoot || long !== '--help'),
      (option: Option) => option.helpGroupHeading ?? 'Options:',
      helper.optionTerm,
      each => helper.optionDescription(each),
    ),
    isRoot
      ? 'Add --help to a command for its own help.'
      : 'Options for every command, such as --json, --profile and --dry-run: pubctl --help',
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const block = (helper: Help, title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [helper.styleTitle(title), ...lines].join('\n')

function grouped<T>(
  helper: Help,
  entries: readonly T[],
  headingOf: (entry: T) => string,
  termOf: (entry: T) => string,
  descriptionOf: (entry: T) => string,
): string[] {
  const headings = [...new Set(entries.map(headingOf))]
  const width = Math.max(0, ...entries.map(entry => termOf(entry).length))
  return headings.map(heading =>
    block(
      helper,
      heading,
      entries
        .filter(entry => headingOf(entry) === heading)
        .map(entry => helper.formatItem(termOf(entry), width, descriptionOf(entry), helper)),
    ),
  )
}
