import { describe, expect, it } from 'vitest'
import type { CommandNode } from '../../src/cli/command-tree.ts'
import { topics } from '../../src/cli/topics.ts'
import { readPage } from '../support/machine/pages.ts'
import { root } from '../support/machine/tree.ts'

describe('the reference', () => {
  it('names every command and every option', () => {
    const written = readPage('docs/reference.md')
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
