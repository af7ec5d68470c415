// Writes the manual, into dist/man or the folder that is named: pubctl(1), and a page for each command below it, from what
// the built program says of itself.
//
// npm links the pages that "man" in package.json names one by one, and reads it before anything that `npm link` runs. So the list
// stands in the repository; it is written here, with the pages in dist/man.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sourceDate } from './source-date.js'
import { write, writeFolder } from './write.js'

const root = join(import.meta.dirname, '..')
const pagesOfPackage = join(root, 'dist/man')
const folder = resolve(process.argv[2] ?? pagesOfPackage)
const ask = (...args) =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'bin/pubctl.js'), ...args, '--json'], { maxBuffer: 1e8 }),
  )

const tree = ask('commands')
const topics = Object.fromEntries(
  ['environment', 'exit-codes', 'formatting'].map(name => [name, ask('help', name).sections]),
)
const all = commands => commands.flatMap(command => [command, ...all(command.commands)])
const commands = [{ ...tree, path: '', arguments: [] }, ...all(tree.commands)]
const pageOf = ({ path }) => ['pubctl', ...path.split(' ').filter(Boolean)].join('-')

function page(command) {
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
      ? [...section('ENVIRONMENT', topics.environment), ...section('EXIT STATUS', topics['exit-codes'])]
      : exitStatus(command)),
    ...examples(command),
    '.Sh SEE ALSO',
    ...references(command),
  ]
  return `${lines.join('\n')}\n`
}

function day() {
  return sourceDate.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}

/** The words of a command stand as they are typed; what is in angle brackets stands for something else. */
const synopsis = ({ usage }) => [
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

function description(command) {
  const { path, summary, options, commands } = command
  const whole = path === '' ? topics.formatting : []
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

function argumentsOf(command) {
  const told = command.arguments.filter(({ description }) => description !== '')
  if (told.length === 0) return []
  return ['The arguments are:', ...list(told.map(each => [`Ar ${text(each.name)}`, facts(each)]))]
}

const section = (title, parts) => [
  `.Sh ${title}`,
  ...parts.flatMap((part, index) => [...(index > 0 ? [`.Ss ${text(part.heading)}`] : []), ...prose(part)]),
]

const prose = ({ text: words, terms = [] }) => [
  ...(words === undefined ? [] : sentences(words)),
  ...(terms.length === 0 ? [] : list(terms.map(([term, meaning]) => [`Sy ${quoted(term)}`, meaning]))),
]

function exitStatus({ exitCodes }) {
  if (exitCodes.length === 0) return []
  const meaningOf = new Map(tree.exitCodes.map(({ code, meaning }) => [code, meaning]))
  return ['.Sh EXIT STATUS', ...list(exitCodes.map(code => [`Sy ${code}`, meaningOf.get(code)]))]
}

function examples({ examples }) {
  if (examples.length === 0) return []
  return ['.Sh EXAMPLES', '.Bd -literal -offset indent', ...examples.map(text), '.Ed']
}

/** The page above a command and those beside it; those below it are in its description. */
function references(command) {
  const above = command.path.split(' ').slice(0, -1).join(' ')
  const beside = commands.filter(
    ({ path }) => path.split(' ').slice(0, -1).join(' ') === above && path !== '',
  )
  const others =
    command.path === ''
      ? command.commands
      : [
          ...new Set([
            commands[0],
            ...commands.filter(({ path }) => path === above),
            ...(above ? beside : []),
          ]),
        ]
  const named = others.filter(each => each !== command).sort((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1))
  return named.map((each, index) => `.${xr(each)}${index < named.length - 1 ? ' ,' : ''}`)
}

const list = terms => [
  '.Bl -tag -width Ds',
  ...terms.flatMap(([term, meaning]) => [`.It ${term}`, sentence(meaning)]),
  '.El',
]

const xr = command => `Xr ${pageOf(command)} 1`

/** `-p, --profile <name>` */
const flags = ({ short, long, value }) =>
  [...(short ? [short] : []), long]
    .map(flag => `Fl ${text(flag.slice(1))}${value ? ` Ar ${text(value)}` : ''}`)
    .join(' , ')

function facts({ description, choices, default: usual, isRequired, isRepeatable }) {
  const known = [
    choices?.join(', '),
    usual === null || usual === undefined || typeof usual === 'boolean' ? '' : `default ${usual}`,
    isRequired === true && choices === null ? 'required' : '',
    isRepeatable ? 'may be repeated' : '',
  ].filter(Boolean)
  return known.length === 0 ? description : `${description} (${known.join('; ')})`
}

const sentence = words =>
  filled(text(`${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/[^.]$/, '$&.')))

/** Each sentence on a line of its own, so that roff sees where it ends. */
const sentences = words => words.split(/(?<=\.) (?=[A-Z"-])/).map(each => filled(text(each)))

/** Broken before 80 characters, and never before what roff would take for a request. */
const filled = words => words.replace(/(?=.{80})(.{1,78}) (?![.'])/g, '$1\n')

/** A term that stands as one argument of a macro. */
const quoted = words => (/[ "]/.test(words) ? `"${text(words).replaceAll('"', '""')}"` : text(words))

/** Words as roff prints them: nothing in them is a request, an escape or a dash that is not the one that was typed. */
const text = words =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\[u2026]')
    .replaceAll('–', '\\(en')
    .replace(/^[.']/, '\\&$&')

const files = new Map(commands.map(command => [`${pageOf(command)}.1`, page(command)]))
writeFolder(folder, files)
if (folder === pagesOfPackage) {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  const man = [...files.keys()].map(name => `./dist/man/${name}`)
  const listed = `${JSON.stringify({ ...JSON.parse(text), man }, undefined, 2)}\n`
  if (listed !== text) write(path, listed)
}
