import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { shellWord } from '../system/shell-word.ts'
import { factsOf } from './about.ts'
import type { ListEnd } from './context.ts'
import { pick } from './output/fields.ts'

/**
 * The commands that go on from a list, as lines for a shell: the rest of a list that was cut, what was only planned with
 * `--dry-run`, or the commands of the same group that show the first item in full.
 */
export function nextCommands(command: CommandUnknownOpts, { view, first, cut }: ListEnd): string[] {
  const root = rootOf(command)
  const line = (root as unknown as { readonly rawArgs: readonly string[] }).rawArgs
  if (root.opts()['dryRun'] && factsOf(command).changes)
    return [lineOf(line.filter(word => word !== '--dry-run'))]
  const rest = cut && (cut.token === undefined ? ['--all'] : [`--next-token=${cut.token}`])
  const id = idOf(view, first)
  return [
    ...(rest ? [lineOf(withOptions(line, rest))] : []),
    ...(id === undefined ? [] : showing(command, id)),
  ]
}

/** The same words with other options for what is listed. */
function withOptions(line: readonly string[], options: readonly string[]): string[] {
  const end = line.includes('--') ? line.indexOf('--') : line.length
  const kept = line.slice(0, end).filter((word, index, all) => {
    const before = all[index - 1] ?? ''
    if (/^--(?:next-token)(?:=|$)/.test(word) || before === '--next-token') return false
    // Everything that is left, and not the first of it.
    return !options.includes('--all') || !(/^--limit(?:=|$)/.test(word) || before === '--limit')
  })
  return [...kept, ...options, ...line.slice(end)]
}

/** The commands of the same group that read one item of its lists. */
function showing(command: CommandUnknownOpts, id: string): string[] {
  const { changes, asks } = factsOf(command)
  if (command.parent === null || (changes && asks)) return []
  const own = command.registeredArguments.some(({ variadic }) => variadic) ? [] : command.registeredArguments
  const readers = command.parent.commands.filter(each => {
    const facts = factsOf(each)
    const taken = each.registeredArguments
    return (
      !facts.changes &&
      !facts.waits &&
      !facts.asks &&
      !each.options.some(({ mandatory }) => mandatory) &&
      taken.length === own.length + 1 &&
      own.every((argument, index) => argument.name() === taken[index]?.name()) &&
      taken.at(-1)?.required &&
      !taken.at(-1)?.variadic
    )
  })
  const globals = ['profile', 'baseUrl', 'apiKeyFile'].flatMap(name => {
    const value = rootOf(command).opts()[name]
    const flag = rootOf(command).options.find(option => option.attributeName() === name)?.long
    return typeof value === 'string' && flag ? [flag, value] : []
  })
  const values = [...command.args.slice(0, own.length), id]
  const ends = values.some(value => value.startsWith('-')) ? ['--'] : []
  return readers.map(each => lineOf([...globals, ...pathOf(each), '--json', ...ends, ...values]))
}

/** The id of an item: the first column that is never shortened. An id that no person would type is none. */
function idOf({ columns }: ListEnd['view'], item: unknown): string | undefined {
  const field = columns.find(({ isCutLast }) => isCutLast)?.field
  const value = field === undefined ? undefined : pick(item, field.split('.'))
  return typeof value === 'string' && /^[^\p{C}\s]{1,200}$/u.test(value) ? value : undefined
}

const rootOf = (command: CommandUnknownOpts): CommandUnknownOpts =>
  command.parent === null ? command : rootOf(command.parent)

const pathOf = (command: CommandUnknownOpts): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()]

const lineOf = (words: readonly string[]): string => ['pubctl', ...words.map(quoted)].join(' ')

/** An option keeps its hyphens, which `shellWord` would take from it. */
const quoted = (word: string): string =>
  word.startsWith('-')
    ? /^[\w@%+=:,./-]+$/.test(word)
      ? word
      : `'${word.replaceAll("'", `'\\''`)}'`
    : shellWord(word)
