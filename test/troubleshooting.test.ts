import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

describe('troubleshooting in the README', () => {
  it('has every code that pubctl gives, and none that it does not', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, section = ''] = readme.split('\n## Troubleshooting\n')
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('| `'))
    const explained = rows.flatMap(row =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+…?)`/g)].map(([, code]) => code),
    )
    expect(explained.sort()).toEqual([...given(), 'http_…', 'usage'].sort())
  })
})

/** The codes in the source: each is written where its failure is made, as `code: '…'` in the call. */
function given(): string[] {
  const codes = new Set<string>()
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('contract')) continue
    const source = readFileSync(join(root, 'src', file), 'utf8')
    for (const { index } of source.matchAll(/\bnew \w*Failure\(|\bsuper\(/g)) {
      const [, said = ''] = /\bcode: ([^,}]*)/.exec(callAt(source, index)) ?? []
      for (const [, code = ''] of said.matchAll(/(?<!=== |\[)'([a-z_]+)'/g)) codes.add(code)
    }
  }
  return [...codes]
}

/** The text of a call, up to the parenthesis that closes it. */
function callAt(source: string, start: number): string {
  let depth = 0
  for (let index = source.indexOf('(', start); index < source.length; index++) {
    if (source[index] === '(') depth++
    if (source[index] === ')' && --depth === 0) return source.slice(start, index)
  }
  return ''
}
