import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { exitCodes } from '../system/errors.ts'
import { type Does, examplesOf, type Facts, factsOf } from './about.ts'
import { isRepeatable } from './repeatable.ts'

/** An argument of a command, as JSON. */
export interface ArgumentNode {
  readonly name: string
  readonly isRequired: boolean
  readonly isVariadic: boolean
  readonly type: string
  readonly choices: readonly string[] | null
  readonly description: string
}

/** An option of a command, as JSON. */
export interface OptionNode {
  readonly flags: string
  readonly long: string
  readonly short: string | null
  /** The name of its value; null for a switch. */
  readonly value: string | null
  readonly type: string
  readonly default: unknown
  readonly choices: readonly string[] | null
  /** Whether the command fails without it. */
  readonly isRequired: boolean
  readonly isRepeatable: boolean
  /** Whether there is a `--no-…` form. */
  readonly isNegatable: boolean
  /** Whether its value is a file that is written. */
  readonly isWritten: boolean
  /** Whether `pubctl mcp` offers it to agents. */
  readonly isForAgents: boolean
  readonly group: string
  readonly description: string
}

/** A command, as JSON: what `pubctl commands` prints, and what the completions and the reference are generated from. */
export interface CommandNode {
  /** `publications list`; empty for pubctl itself. */
  readonly path: string
  readonly summary: string
  readonly usage: string
  readonly examples: readonly string[]
  readonly arguments: readonly ArgumentNode[]
  /** Its own options. The global options are those of the root. */
  readonly options: readonly OptionNode[]
  /** What it can do at most, on the service or on this machine. */
  readonly does: Does
  /** Why `pubctl mcp` does not offer it to agents; null if it does. */
  readonly notForAgents: string | null
  readonly changes: boolean
  readonly waits: boolean
  /** The exit codes it can end with, in order; empty for a group. */
  readonly exitCodes: readonly number[]
  readonly commands: readonly CommandNode[]
}

/** Loads the group of a name, or all groups, and returns the root command. */
export type LoadTree = (group?: string) => Promise<CommandUnknownOpts>

/** A command and all commands below it, except hidden ones. Groups must be loaded before. */
export function describeCommand(command: CommandUnknownOpts): CommandNode {
  const help = command.createHelp()
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || long !== '--help')
  const commands = help.visibleCommands(command).map(describeCommand)
  const facts = factsOf(command)
  const { does, notForAgents = null, changes, waits } = facts
  return {
    path: pathOf(command),
    summary: command.description(),
    usage: help.commandUsage(command),
    examples: examplesOf(command).map(example => `pubctl ${example}`),
    arguments: command.registeredArguments.map(describeArgument),
    options: options.map(option => describeOption(option, options, facts)),
    does,
    notForAgents,
    changes,
    waits,
    exitCodes: commands.length > 0 ? [] : exitCodesOf(command),
    commands,
  }
}

/** The words of a command line after `pubctl`, such as `publications list`. */
function pathOf(command: CommandUnknownOpts): string {
  const above = command.parent
  return above === null ? '' : `${pathOf(above)} ${command.name()}`.trim()
}

const describeArgument = (argument: Argument): ArgumentNode => ({
  name: argument.name(),
  isRequired: argument.required,
  isVariadic: argument.variadic,
  type: typeOf(argument.name()),
  choices: argument.argChoices ?? null,
  description: argument.description,
})

function describeOption(option: Option, all: readonly Option[], { writesTo, withheld }: Facts): OptionNode {
  const { flags, short, long = flags, argChoices, defaultValue, mandatory, helpGroupHeading } = option
  const value = /[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1]?.replace(/\.{3}$/, '') ?? null
  return {
    flags,
    long,
    short: short ?? null,
    value,
    type: typeOf(value),
    // A duration as it is typed.
    default: option.defaultValueDescription ?? defaultValue ?? null,
    choices: argChoices ?? null,
    isRequired: mandatory,
    isRepeatable: option.variadic || isRepeatable(option),
    isNegatable: all.some(other => other.negate && other.long === long.replace(/^--/, '--no-')),
    isWritten: writesTo.includes(long),
    isForAgents: !withheld.includes(long),
    group: (helpGroupHeading ?? 'Options:').replace(/:$/, ''),
    description: option.description,
  }
}

/** The type of a value follows from its name, which is also all that users see of it. */
const typeOf = (value: string | null): string => (value === null ? 'boolean' : (types[value] ?? 'string'))
const types: Readonly<Record<string, string>> = {
  count: 'integer',
  port: 'integer',
  duration: 'duration',
  file: 'file',
  folder: 'folder',
  source: 'file',
  plan: 'file',
  month: 'month',
  day: 'day',
  names: 'list',
  uuid: 'uuid',
  'i/n': 'shard',
  url: 'url',
  'key=value': 'pair',
}

function exitCodesOf(command: CommandUnknownOpts): number[] {
  const { isLocal, asks, waits, ends } = factsOf(command)
  const code = exitCodes
  const isBatch = command.registeredArguments.some(
    ({ variadic, required }) => variadic && (required || !isLocal),
  )
  const codes = [
    ...[code.done, code.fault, code.usage],
    ...(isLocal ? [] : [code.notAuthenticated, code.forbidden, code.notFound, code.refused, code.network]),
    ...(asks ? [code.nobodyToAsk] : []),
    ...(isBatch ? [code.partFailed] : []),
    ...(waits ? [code.quarantined, code.processingFailed, code.waitExhausted] : []),
    ...[code.hungUp, code.interrupted, code.terminated],
    ...ends.map(name => code[name]),
  ]
  return [...new Set(codes)].sort((one, other) => one - other)
}
