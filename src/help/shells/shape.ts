import type { ArgumentNode, CommandNode, OptionNode } from '../../cli/command-tree.ts'

/** A word that can be completed, and its description. */
export interface Candidate {
  readonly text: string
  readonly description: string
}

/**
 * The source of the values of an argument or an option, as a word without blanks or quotes, which is safe in any
 * shell: `none`, `files`, `folders`, `words:a,b`, or `ask:publications`, for which the script runs `pubctl __complete`.
 */
type ValueSource = 'none' | 'files' | 'folders' | `words:${string}` | `ask:${string}`

/** What a completion script knows about a command. */
export interface Shape {
  /** `publications list`; empty for pubctl itself, whose options are those of every command. */
  readonly path: string
  readonly commands: readonly Candidate[]
  readonly options: readonly (Candidate & { readonly source: ValueSource | undefined })[]
  /** The sources of its arguments, in order. */
  readonly positions: readonly ValueSource[]
  /** Whether the last argument may be repeated. */
  readonly isVariadic: boolean
}

/** The shapes of a command and of all commands below it. */
export function shapesOf(command: CommandNode): Shape[] {
  const { path, commands, options } = command
  const shape: Shape = {
    path,
    commands: commands.map(each => ({
      text: each.path.split(' ').at(-1) ?? '',
      description: each.summary,
    })),
    options: options.flatMap(option => {
      const source = option.value === null ? undefined : sourceOfOption(option)
      const { description } = option
      return [option.long, option.short]
        .filter(flag => flag !== null)
        .map(text => ({ text, description, source }))
    }),
    positions: command.arguments.map(argument => sourceOfArgument(argument, path)),
    isVariadic: command.arguments.at(-1)?.isVariadic ?? false,
  }
  return [shape, ...commands.flatMap(shapesOf)]
}

function sourceOfOption({ long, value, choices }: OptionNode): ValueSource {
  if (choices) return words(choices)
  if (value === 'file') return 'files'
  if (value === 'folder') return 'folders'
  return asked[long] ?? 'none'
}

const asked: Readonly<Record<string, ValueSource>> = {
  '--profile': 'ask:profiles',
  '--metadata': 'ask:metadata',
}

/** The source follows from the argument's name. An `id` is that of the group's own resource. */
function sourceOfArgument({ name, choices }: ArgumentNode, path: string): ValueSource {
  const [group = ''] = path.split(' ')
  if (choices) return words(choices)
  if (name === 'file') return 'files'
  if (name === 'publication') return 'ask:publications'
  if (name === 'edition') return 'ask:editions'
  if (name === 'id') return group === 'analytics' ? 'ask:publications' : `ask:${group}`
  if (name === 'name' && group === 'profile') return 'ask:profiles'
  return 'none'
}

const words = (choices: readonly string[]): ValueSource => `words:${choices.join(',')}`
