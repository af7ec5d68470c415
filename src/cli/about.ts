import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** What pubctl says of a command beyond what commander keeps. */
export interface Facts {
  /** Command lines, without "pubctl", that a person can copy. */
  readonly examples: readonly string[]
  /** Whether it changes anything on the service. */
  readonly changes: boolean
  /** Whether it waits for processing, so that `--timeout` limits that as well. */
  readonly waits: boolean
  /** Whether it may need an answer from a person, such as a yes to deleting. */
  readonly asks: boolean
  /** Whether it does its work on this machine alone, without the service. */
  readonly isLocal: boolean
}

const known = new WeakMap<CommandUnknownOpts, Facts>()

/** Notes a command's examples, and whether it changes anything, for its help and for everything made from the tree. */
export function about<C extends CommandUnknownOpts>(command: C, facts: Partial<Facts>): C {
  known.set(command, { ...nothing, ...facts })
  return command
}

const nothing: Facts = { examples: [], changes: false, waits: false, asks: false, isLocal: false }

/** A command's examples; those of a group are the first one of each of its verbs. */
export const examplesOf = (command: CommandUnknownOpts): readonly string[] =>
  command.commands.length === 0 || command.parent === null
    ? factsOf(command).examples
    : command.commands.flatMap(each => factsOf(each).examples.slice(0, 1)).slice(0, 3)

export const factsOf = (command: CommandUnknownOpts): Facts => known.get(command) ?? nothing
