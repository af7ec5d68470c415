import type { CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings'
import { examplesOf, factsOf } from './about.ts'
import { isRepeatable } from './repeatable.ts'

/**
 * A command's help: description, usage, examples, then its commands and options in groups. Global options are only
 * listed in the help of `pubctl` itself.
 */
export function formatHelp(command: CommandUnknownOpts, helper: Help): string {
  const isRoot = command.parent === null
  const blocks = [
    command.description(),
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    block(
      helper,
      'Examples:',
      examplesOf(command).map(example => `  $ pubctl ${example}`),
    ),
    ...grouped(
      helper,
      helper.visibleCommands(command),
      each => each.helpGroup() || 'Commands:',
      // The help of a group shows the synopsis of each verb. The long list of groups is easier to read without.
      each => (isRoot ? each.name() : helper.subcommandTerm(each)),
      each => helper.subcommandDescription(each),
    ),
    ...grouped(
      helper,
      helper.visibleArguments(command).filter(({ description }) => description !== ''),
      () => 'Arguments:',
      helper.argumentTerm,
      each => withFacts(each.description, choicesOf(each.argChoices)),
    ),
    ...grouped(
      helper,
      helper.visibleOptions(command).filter(({ long }) => isRoot || long !== '--help'),
      (option: Option) => option.helpGroupHeading ?? 'Options:',
      helper.optionTerm,
      describeOption,
    ),
    ...grouped(
      helper,
      factsOf(command).words,
      () => 'What the words mean:',
      ([word]) => word,
      ([, meaning]) => meaning,
    ),
    isRoot
      ? 'Add --help to a command for its own help.'
      : 'Options for every command, such as --json and --profile: pubctl --help',
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const describeOption = (option: Option): string =>
  withFacts(
    option.description,
    choicesOf(option.argChoices),
    option.defaultValue === undefined || typeof option.defaultValue === 'boolean'
      ? ''
      : `default ${option.defaultValueDescription ?? option.defaultValue}`,
    option.mandatory ? 'required' : '',
    isRepeatable(option) ? 'may be repeated' : '',
  )

const choicesOf = (choices: readonly string[] | undefined): string => choices?.join(', ') ?? ''

/** `how to print results (table, json, ndjson, csv)` */
function withFacts(description: string, ...facts: readonly string[]): string {
  const known = facts.filter(Boolean)
  return known.length === 0 ? description : `${description} (${known.join('; ')})`
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
