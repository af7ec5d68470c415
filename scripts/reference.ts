import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArgumentNode, CommandNode, OptionNode } from '../src/cli/command-tree.ts'
import { root, run } from './program.ts'

const path = 'docs/reference.md'
const [start, end] = ['<!-- reference -->\n', '<!-- /reference -->']

/** The reference of all commands: between its marks, what the built program says of itself. */
export function reference(): Map<string, string> {
  const page = readFileSync(join(root, path), 'utf8')
  const [before, written, ...more] = page.split(start)
  const [, after, ...others] = (written ?? '').split(end)
  if (after === undefined || more.length > 0 || others.length > 0)
    throw new Error(`${path} needs each of its marks once: ${start.trim()} and ${end}`)
  return new Map([[path, `${before}${start}${pageOf(JSON.parse(run('commands')))}${end}${after}`]])
}

function pageOf({ options, commands }: Pick<CommandNode, 'options' | 'commands'>): string {
  const everywhere = ['## Options of every command', '', ...options.map(optionLine), '']
  return `\n${[...everywhere, ...commands.flatMap(section)].join('\n')}\n`
}

function section(command: CommandNode): string[] {
  const verbs = command.commands.length > 0 ? command.commands : [command]
  return [`## ${command.path}`, '', `${command.summary}.`, '', ...verbs.flatMap(verb)]
}

function verb({ path, usage, summary, arguments: args, options, commands }: CommandNode): string[] {
  const lines = [
    ...args.filter(({ description }) => description !== '').map(argumentLine),
    ...options.map(optionLine),
  ]
  const isAlone = !path.includes(' ') && commands.length === 0
  const title = `**\`${usage.replace(' [options]', '')}\`**${isAlone ? '' : ` – ${summary}`}`
  return [title, '', ...lines, ...(lines.length > 0 ? [''] : [])]
}

const argumentLine = ({ name, description, choices }: ArgumentNode): string =>
  `- \`${name}\` – ${withFacts(description, choices?.join(', '))}`

const optionLine = (option: OptionNode): string =>
  `- \`${option.flags}\` – ${withFacts(
    option.description,
    option.choices?.join(', '),
    option.default === null || typeof option.default === 'boolean' ? '' : `default ${option.default}`,
    option.isRequired ? 'required' : '',
    option.isRepeatable ? 'may be repeated' : '',
  )}`

function withFacts(description: string, ...facts: readonly (string | undefined)[]): string {
  const known = facts.filter(Boolean)
  return known.length === 0 ? description : `${description} (${known.join('; ')})`
}
