import { describe, expect, it } from 'vitest'
import type { CommandNode, OptionNode } from '../../src/cli/command-tree.ts'
import { pages, readPage } from '../support/machine/pages.ts'
import { parse } from '../support/machine/parse.ts'
import { root } from '../support/machine/tree.ts'

const userPages = pages.filter(page => page === 'README.md' || page.startsWith('docs/'))
const lastWord = ({ path }: CommandNode): string => path.split(' ').at(-1) as string

describe.each(userPages)('%s', page => {
  const text = readPage(page)
  const blocks = [...text.matchAll(/^```(?:sh|console|yaml|powershell)\n(.*?)^```$/gms)].map(
    ([, block = '']) => block,
  )
  const lines = blocks.join('\n').split('\n').flatMap(pubctlCommandsIn)
  const prose = text.replace(/^```.*?^```$/gms, '')
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'))

  it('has only commands in its blocks that the parser takes', async () => {
    for (const words of lines) await expect(parse(words), words.join(' ')).resolves.toMatch(/^[a-z]/)
  })

  it('names only commands and options that exist', () => {
    const isCommand = (span: string) => root.commands.some(each => span.startsWith(`${lastWord(each)} `))
    const mentions = [...spans.flatMap(pubctlCommandsIn), ...spans.filter(isCommand).map(wordsOf)]
    for (const words of [...mentions, ...lines]) expect(unknownIn(words), words.join(' ')).toBeUndefined()
  })

  it('names only options that some command has', () => {
    const options = new Set(everything(root).flatMap(each => each.options.map(({ long }) => long)))
    for (const [, option] of spans.flatMap(span => [...span.matchAll(/^(--[a-z][\w-]*)/g)]))
      expect(options, option).toContain(option)
  })
})

const everything = (node: CommandNode | typeof root): readonly Pick<CommandNode, 'options'>[] => [
  node,
  ...node.commands.flatMap(everything),
]

/** The words of each pubctl command in a line of a shell, without the program's name. */
function pubctlCommandsIn(line: string): string[][] {
  return [...line.matchAll(/(?<![\w./@-])pubctl(?= )/g)].map(({ index }) =>
    wordsOf(line.slice(index + 'pubctl'.length)),
  )
}

/** The words of a command, up to where a pipe, a redirection, a comment or the end of a substitution ends it. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [token] of text.matchAll(/(?:"[^"]*"|'[^']*'|<[\w.-]+>|[^\s"'|<>;&)#])+|[|<>;&)#]/g)) {
    if (/^[|<>;&)#]$/.test(token)) break
    words.push(token.replace(/^(["'])(.*)\1$/, '$2'))
  }
  return words
}

/** The first word that is no command or option where it stands; arguments may be missing, as in a sentence. */
function unknownIn(words: readonly string[]): string | undefined {
  let node: Pick<CommandNode, 'commands' | 'options'> = root
  const flags: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    if (word.startsWith('-') && word !== '-') {
      const flag = word.split('=')[0] as string
      flags.push(flag)
      const option = optionOf(node.options, flag)
      if (option !== undefined && option.value !== null && !word.includes('=')) index++
    } else if (node.commands.length > 0) {
      const next: CommandNode | undefined = node.commands.find(each => lastWord(each) === word)
      if (next === undefined) return word
      node = next
    }
  }
  return flags.find(flag => optionOf(node.options, flag) === undefined)
}

const optionOf = (options: readonly OptionNode[], flag: string): OptionNode | undefined =>
  [...options, ...root.options].find(({ long, short }) => long === flag || short === flag)
