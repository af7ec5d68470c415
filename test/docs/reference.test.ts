import { describe, expect, it } from 'vitest'
import type { ArgumentNode, CommandNode, OptionNode } from '../../src/cli/command-tree.ts'
import { topics } from '../../src/cli/topics.ts'
import { readPage } from '../support/machine/pages.ts'
import { root } from '../support/machine/tree.ts'

const page = readPage('docs/reference.md')
const [start, end] = ['<!-- reference -->\n', '<!-- /reference -->']
const [before = '', rest = ''] = page.split(start)
const [written = '', after = ''] = rest.split(end)

describe('the reference', () => {
  it('is what the commands say of themselves', async () => {
    expect(page.split(start)).toHaveLength(2)
    expect(page.split(end)).toHaveLength(2)
    // Written anew by: npm run reference
    await expect(`${before}${start}${reference()}${end}${after}`).toMatchFileSnapshot(
      '../../docs/reference.md',
    )
  })

  it('names every command and every option', () => {
    for (const { path, options, commands } of [root, ...all(root.commands)]) {
      if (commands.length === 0) expect(written).toContain(`**\`pubctl ${path}`)
      for (const { flags } of options) expect(written).toContain(`\`${flags}\``)
    }
  })
})

describe('the pages', () => {
  it('explains the exit codes in the words of the program', () => {
    const rows = tableAfter('docs/scripting-and-ci.md', '| exit code | meaning |').flatMap(
      ([codes = '', meanings = '']) => {
        const words = codes.includes(',') ? meanings.split(', ') : [meanings]
        return codes.split(', ').map((code, index) => ({ code: Number(code), meaning: words[index] }))
      },
    )
    expect(rows).toEqual(root.exitCodes.map(({ code, meaning }) => ({ code, meaning })))
  })

  it('explains the variables in the words of the program', () => {
    const rows = tableAfter('docs/profiles-and-keys.md', '| variable | meaning |').map(cells =>
      cells.map(cell => cell.replaceAll('`', '')),
    )
    expect(rows).toEqual(topics.find(({ name }) => name === 'environment')?.sections[0]?.terms)
  })
})

function tableAfter(name: string, head: string): string[][] {
  const [, table = ''] = readPage(name).split(`${head}\n`)
  const [, ...rows] = (table.split('\n\n')[0] ?? '').trimEnd().split('\n')
  return rows.map(row => row.slice(2, -2).split(' | '))
}

function all(commands: readonly CommandNode[]): CommandNode[] {
  return commands.flatMap(each => [each, ...all(each.commands)])
}

function reference(): string {
  const everywhere = ['## Options of every command', '', ...root.options.map(optionLine), '']
  return `\n${[...everywhere, ...root.commands.flatMap(section)].join('\n')}\n`
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
