import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/service/contract/envelope.ts'
import { readPage } from '../support/machine/pages.ts'

const root = join(import.meta.dirname, '../..')

describe('the page on troubleshooting', () => {
  it('has every code of pubctl and of the service, and no other', () => {
    const lines = readPage('docs/troubleshooting.md').split('\n')
    const rows = lines.filter(line => line.startsWith('| `'))
    const explained = rows.flatMap(row =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+…?)`/g)].map(([, code]) => code),
    )
    expect(explained.sort()).toEqual([...given(), ...errorCodes, 'http_…', 'usage'].sort())
  })
})

/**
 * The codes in the source: each is written where its failure is made, as `code: '…'` in the call, or as the type of the
 * parameter `code` that the call passes on.
 */
function given(): string[] {
  const codes = new Set<string>()
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('contract')) continue
    const source = readFileSync(join(root, 'src', file), 'utf8')
    for (const { index } of source.matchAll(/\bnew \w*Failure\(|\bsuper\(/g)) {
      const call = callAt(source, index)
      const named = /\{ code\b(?!:)/.test(call) ? source : call
      const [, said = ''] = /\bcode: ([^,}]*)/.exec(named) ?? []
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
