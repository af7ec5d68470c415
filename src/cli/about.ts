import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/**
 * What a command can do to the world at most: nothing; make something new; change what is there; or destroy it. Files,
 * profiles and the journal of this machine count as well.
 */
export type Does = 'reads' | 'adds' | 'changes' | 'deletes'

/** What commander has no place for: facts for the help, the completions, the man pages and the reference. */
export interface Facts {
  /** Command lines to copy, without "pubctl". */
  readonly examples: readonly string[]
  readonly does: Does
  /** Words that it prints, such as those of a column, and what they mean. */
  readonly words: readonly (readonly [word: string, meaning: string])[]
  /** Why `pubctl mcp` does not offer it, as the end of a sentence; undefined if it does. */
  readonly notForAgents: string | undefined
  /** Those of its options that agents are not offered. */
  readonly withheld: readonly string[]
  /** Those of its options that name a file to be written. */
  readonly writesTo: readonly string[]
  /** Whether it changes anything on the service. By default what is not local does, unless it only reads. */
  readonly changes: boolean
  /** Whether it waits for processing, so that `--timeout` limits that as well. */
  readonly waits: boolean
  /** Whether it may ask a question. By default what deletes does. */
  readonly asks: boolean
  /** Whether it works without the service. */
  readonly isLocal: boolean
  /** How it can end besides: in part, with the network of a database, with changes to make. */
  readonly ends: readonly ('partFailed' | 'network' | 'changesPlanned')[]
}

const known = new WeakMap<CommandUnknownOpts, Facts>()

/** Records facts about a command, and returns the command. */
export function about<C extends CommandUnknownOpts>(
  command: C,
  facts: Partial<Facts> & Pick<Facts, 'does'>,
): C {
  const { does, isLocal = false } = facts
  const byDefault = { changes: does !== 'reads' && !isLocal, asks: does === 'deletes' }
  known.set(command, { ...nothing, ...byDefault, ...facts })
  return command
}

const nothing: Facts = {
  examples: [],
  words: [],
  does: 'reads',
  notForAgents: undefined,
  withheld: [],
  writesTo: [],
  changes: false,
  waits: false,
  asks: false,
  isLocal: false,
  ends: [],
}

/** A command's examples. Those of a group are the first example of each of its verbs, three at most. */
export const examplesOf = (command: CommandUnknownOpts): readonly string[] =>
  command.commands.length === 0 || command.parent === null
    ? factsOf(command).examples
    : command.commands.flatMap(each => factsOf(each).examples.slice(0, 1)).slice(0, 3)

/** The facts that were recorded about a command. */
export const factsOf = (command: CommandUnknownOpts): Facts => known.get(command) ?? nothing
