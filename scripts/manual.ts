import { sourceDate } from '../.ci/source-date.js'
import type { ArgumentNode, CommandNode, OptionNode } from '../src/cli/command-tree.ts'
import { run } from './program.ts'

interface Root extends Omit<CommandNode, 'exitCodes'> {
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[]
}

/** A part of a page of help that is about no command. */
interface Part {
  readonly heading: string
  readonly text?: string
  readonly terms?: readonly (readonly [string, string])[]
}

const ask = (...args: string[]) => JSON.parse(run(...args, '--json'))

const tree: Root = ask('commands')
const [environment, exitCodes, formatting = []]: readonly Part[][] = [
  'environment',
  'exit-codes',
  'formatting',
].map(name => ask('help', name).sections)
const all = (commands: readonly CommandNode[]): CommandNode[] =>
  commands.flatMap(command => [command, ...all(command.commands)])
const top: CommandNode = { ...tree, path: '', arguments: [], exitCodes: [] }
const commands = [top, ...all(tree.commands)]
const pageOf = ({ path }: CommandNode): string => ['pubctl', ...path.split(' ').filter(Boolean)].join('-')

function page(command: CommandNode): string {
  const name = pageOf(command)
  const lines = [
    `.Dd ${day()}`,
    `.Dt ${name.toUpperCase()} 1`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd ${text(command.summary.replace(/\.$/, ''))}`,
    '.Sh SYNOPSIS',
    ...synopsis(command),
    '.Sh DESCRIPTION',
    ...description(command),
    ...(command.path === ''
      ? [...section('ENVIRONMENT', environment), ...section('EXIT STATUS', exitCodes)]
      : exitStatus(command)),
    ...examples(command),
    '.Sh SEE ALSO',
    ...references(command),
  ]
  return `${lines.join('\n')}\n`
}

function day(): string {
  return sourceDate.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}

/** The words of a command stand as they are typed; what is in angle brackets stands for something else. */
const synopsis = ({ usage }: CommandNode): string[] => [
  '.Sy pubctl',
  ...usage
    .split(' ')
    .slice(1)
    .map(word => {
      const [, open, name, many] = /^([<[])(.+?)(\.\.\.)?[>\]]$/.exec(word) ?? []
      if (name === undefined) return `.Sy ${text(word)}`
      return `${open === '[' ? '.Op ' : '.'}Ar ${text(name)}${many ? ' ...' : ''}`
    }),
]

function description(command: CommandNode): string[] {
  const { path, summary, options, commands } = command
  const whole = path === '' ? formatting : []
  return [
    sentence(summary),
    ...(commands.length > 0
      ? ['The commands are:', ...list(commands.map(each => [xr(each), each.summary]))]
      : []),
    ...argumentsOf(command),
    ...[...new Set(options.map(({ group }) => group))].flatMap(group => [
      `.Ss ${text(group)}`,
      ...list(options.filter(option => option.group === group).map(option => [flags(option), facts(option)])),
    ]),
    ...(path === '' ? [] : ['.Pp', 'The options of every command are in', '.Xr pubctl 1 .']),
    ...whole.flatMap(part => [`.Ss ${text(part.heading)}`, ...prose(part)]),
  ]
}

function argumentsOf(command: CommandNode): string[] {
  const told = command.arguments.filter(({ description }) => description !== '')
  if (told.length === 0) return []
  return ['The arguments are:', ...list(told.map(each => [`Ar ${text(each.name)}`, facts(each)]))]
}

const section = (title: string, parts: readonly Part[] = []): string[] => [
  `.Sh ${title}`,
  ...parts.flatMap((part, index) => [...(index > 0 ? [`.Ss ${text(part.heading)}`] : []), ...prose(part)]),
]

const prose = ({ text: words, terms = [] }: Part): string[] => [
  ...(words === undefined ? [] : sentences(words)),
  ...(terms.length === 0 ? [] : list(terms.map(([term, meaning]) => [`Sy ${quoted(term)}`, meaning]))),
]

function exitStatus({ exitCodes }: CommandNode): string[] {
  if (exitCodes.length === 0) return []
  const meaningOf = new Map(tree.exitCodes.map(({ code, meaning }) => [code, meaning]))
  return ['.Sh EXIT STATUS', ...list(exitCodes.map(code => [`Sy ${code}`, meaningOf.get(code) ?? '']))]
}

function examples({ examples }: CommandNode): string[] {
  if (examples.length === 0) return []
  return ['.Sh EXAMPLES', '.Bd -literal -offset indent', ...examples.map(text), '.Ed']
}

/** The page above a command and those beside it; those below it are in its description. */
function references(command: CommandNode): string[] {
  const above = command.path.split(' ').slice(0, -1).join(' ')
  const beside = commands.filter(
    ({ path }) => path.split(' ').slice(0, -1).join(' ') === above && path !== '',
  )
  const others =
    command.path === ''
      ? command.commands
      : [...new Set([top, ...commands.filter(({ path }) => path === above), ...(above ? beside : [])])]
  const named = others.filter(each => each !== command).sort((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1))
  return named.map((each, index) => `.${xr(each)}${index < named.length - 1 ? ' ,' : ''}`)
}

const list = (terms: readonly (readonly [string, string])[]): string[] => [
  '.Bl -tag -width Ds',
  ...terms.flatMap(([term, meaning]) => [`.It ${term}`, sentence(meaning)]),
  '.El',
]

const xr = (command: CommandNode): string => `Xr ${pageOf(command)} 1`

/** `-p, --profile <name>` */
const flags = ({ short, long, value }: OptionNode): string =>
  [...(short ? [short] : []), long]
    .map(flag => `Fl ${text(flag.slice(1))}${value ? ` Ar ${text(value)}` : ''}`)
    .join(' , ')

type Described = Pick<ArgumentNode, 'description' | 'choices'> &
  Partial<Pick<OptionNode, 'default' | 'isRequired' | 'isRepeatable'>>

function facts({ description, choices, default: usual, isRequired, isRepeatable }: Described): string {
  const known = [
    choices?.join(', '),
    usual === null || usual === undefined || typeof usual === 'boolean' ? '' : `default ${usual}`,
    isRequired === true && choices === null ? 'required' : '',
    isRepeatable ? 'may be repeated' : '',
  ].filter(Boolean)
  return known.length === 0 ? description : `${description} (${known.join('; ')})`
}

const sentence = (words: string): string =>
  filled(text(`${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/[^.]$/, '$&.')))

/** Each sentence on a line of its own, so that roff sees where it ends. */
const sentences = (words: string): string[] =>
  words.split(/(?<=\.) (?=[A-Z"-])/).map(each => filled(text(each)))

/** Broken before 80 characters, and never before what roff would take for a request. */
const filled = (words: string): string => words.replace(/(?=.{80})(.{1,78}) (?![.'])/g, '$1\n')

/** A term that stands as one argument of a macro. */
const quoted = (words: string): string =>
  /[ "]/.test(words) ? `"${text(words).replaceAll('"', '""')}"` : text(words)

/** Words as roff prints them: nothing in them is a request, an escape or a dash that is not the one that was typed. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\[u2026]')
    .replaceAll('–', '\\(en')
    .replace(/^[.']/, '\\&$&')

/** The manual: pubctl(1), and a page for each command below it, from what the built program says of itself. */
export const manual = (): Map<string, string> =>
  new Map(commands.map(command => [`${pageOf(command)}.1`, page(command)]))
