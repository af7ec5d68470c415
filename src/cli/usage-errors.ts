import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings'
import { UsageFailure } from '../system/errors.ts'
import { shellWord } from '../system/shell-word.ts'
import { closest, didYouMean } from './output/did-you-mean.ts'

/**
 * What those type who know other tools, and the command that does it here. `upload` is closer to the group `uploads`, which
 * few mean.
 */
const commandsOfOtherTools: ReadonlyMap<string, string> = new Map([
  ['auth', 'profile setup'],
  ['books', 'publications'],
  ['check', 'inspect'],
  ['config', 'profile'],
  ['configure', 'profile setup'],
  ['find', 'publications list --search'],
  ['import', 'catalogue plan'],
  ['init', 'profile setup'],
  ['lint', 'inspect'],
  ['login', 'profile setup'],
  ['logout', 'profile remove'],
  ['ls', 'publications list'],
  ['publish', 'publications upload'],
  ['push', 'publications upload'],
  ['rm', 'publications delete'],
  ['search', 'publications list --search'],
  ['show', 'publications get'],
  ['status', 'doctor'],
  ['sync', 'catalogue plan'],
  ['upload', 'publications upload'],
  ['validate', 'inspect'],
  ['version', '--version'],
  ['view', 'publications get'],
])

const verbsOfOtherTools: ReadonlyMap<string, string> = new Map([
  ['add', 'create'],
  ['edit', 'update'],
  ['ls', 'list'],
  ['new', 'create'],
  ['remove', 'delete'],
  ['rm', 'delete'],
  ['show', 'get'],
  ['view', 'get'],
])

/**
 * The error for a word that is no command of the program or of a group. Of the program all groups have to be loaded, so that
 * `upload` finds `publications upload`. `topics` are other words that may stand there.
 */
export function unknownCommand(
  parent: CommandUnknownOpts,
  word: string,
  topics: readonly string[] = [],
): UsageFailure {
  const isRoot = parent.parent === null
  const meant = isRoot ? meantByProgram(parent, word, topics) : meantByGroup(parent, word)
  const kind = topics.length > 0 ? 'command or topic' : 'command'
  return new UsageFailure(
    `there is no ${kind} "${word}"${isRoot ? '' : ` in "${parent.name()}"`}${didYouMean(meant)}`,
    { hint: `${isRoot ? 'pubctl --help' : `pubctl help ${parent.name()}`} lists the commands.` },
  )
}

function meantByGroup(group: CommandUnknownOpts, word: string): string | undefined {
  const verbs = verbsOf(group)
  const verb = verbsOfOtherTools.get(word)
  return verb !== undefined && verbs.includes(verb) ? verb : closest(word, verbs)
}

function meantByProgram(
  root: CommandUnknownOpts,
  word: string,
  topics: readonly string[],
): string | undefined {
  // No command has a dot or a slash in its name, and nearly every file has.
  if (/[./\\]/.test(word)) return `${commandForFile(word)} ${shellWord(word)}`
  const other = commandsOfOtherTools.get(word)
  if (other !== undefined) return other
  const similar = closest(word, [...verbsOf(root), ...topics])
  if (similar !== undefined) return similar
  const group = root.commands.find(each => verbsOf(each).includes(word))
  return group && `${group.name()} ${word}`
}

/** The command that most likely is meant by a file alone. */
function commandForFile(name: string): string {
  if (/\.ndjson$/i.test(name)) return 'catalogue apply'
  return /\.(?:csv|tsv|xml|onix|ya?ml|json)$/i.test(name) ? 'catalogue plan' : 'publications upload'
}

const verbsOf = (command: CommandUnknownOpts): string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map(each => each.name())

/** The failure for what commander refuses, in the words of all other errors. */
export function asUsageFailure(error: CommanderError, root: CommandUnknownOpts): UsageFailure {
  if (error.code === 'commander.help')
    return new UsageFailure('there is no command', { hint: 'Add --help to see the commands.' })
  // Only the group that was named has been given arguments.
  const group = root.commands.find(({ args }) => args.length > 0)
  if (error.code === 'commander.unknownCommand' && group?.args[0] !== undefined)
    return unknownCommand(group, group.args[0])
  const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const [, meant] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(rest.join(' ')) ?? []
  return new UsageFailure(`${message.replace(/'([^']*)'/g, '"$1"')}${didYouMean(meant)}`, {
    hint: 'Add --help to see what fits.',
    cause: error,
  })
}
